import type { FilesOfRun, JobRow, TaskRow } from './files.js';
import type { Ledger } from './ledger.js';
import { replyTo } from './message-plan.js';

/** Terminal states of a task, by those of its job (relay protocol, "States"). */
const STATE_OF_JOB: Record<string, string> = {
  succeeded: 'completed',
  failed: 'failed',
  canceled: 'canceled',
  rejected: 'rejected',
};
const TERMINAL = new Set(Object.values(STATE_OF_JOB));

/** Compares what both sides have on disk with each other and with what callers were told (K4, R4, R5, R6). */
export function checkFiles(files: FilesOfRun, ledger: Ledger): void {
  for (const line of files.damage) ledger.problem(line);
  for (const task of files.tasks.values()) {
    for (const fault of taskFaults(task, files)) ledger.problem(`task ${task.id} (${task.text}): ${fault}`);
  }
  for (const job of files.jobs.values()) {
    if (!files.tasks.has(job.id)) ledger.problem(`job ${job.id} (${job.state}) has no task`);
  }
  for (const id of files.executions.keys()) {
    if (!files.tasks.has(id)) ledger.problem(`job ${id} ran and has no task`);
  }
  for (const [index, id] of ledger.taskOf) {
    if (!files.tasks.has(id)) ledger.problem(`task ${id} of message ${index} was answered and is lost`);
  }
  checkSeenEnds(files, ledger);
}

function checkSeenEnds(files: FilesOfRun, ledger: Ledger): void {
  for (const [id, { end }] of ledger.ends) {
    const task = files.tasks.get(id);
    const stored = task && {
      state: `TASK_STATE_${task.state.toUpperCase()}`,
      timestamp: new Date(task.statusAtMs).toISOString(),
      reply: task.reply ?? '',
    };
    if (JSON.stringify(stored) !== JSON.stringify(end)) {
      ledger.problem(`the end of task ${id} changed: ${JSON.stringify(end)} → ${JSON.stringify(stored)}`);
    }
  }
}

function taskFaults(task: TaskRow, files: FilesOfRun): string[] {
  const faults: string[] = [];
  const ran = files.executions.get(task.id) ?? 0;
  const job = files.jobs.get(task.id);
  if (!TERMINAL.has(task.state)) faults.push(`is stuck as ${task.state}`);
  if (ran > 1) faults.push(`ran ${ran} times`);
  if (task.state === 'completed' && ran === 0) faults.push('is completed and did not run');
  if (task.state === 'completed' && task.reply !== replyTo(task.text))
    faults.push(`has the reply ${JSON.stringify(task.reply)}`);
  if (task.state === 'failed' && !task.statusText) faults.push('failed without an explanation');
  return [...faults, ...(job ? jobFaults(task, job) : absentJobFaults(task, ran))];
}

function jobFaults(task: TaskRow, job: JobRow): string[] {
  const faults: string[] = [];
  if (STATE_OF_JOB[job.state] !== task.state) faults.push(`is ${task.state} and its job ${job.state}`);
  if (job.reply !== task.reply) faults.push(`has another reply than its job`);
  if (job.revision !== task.revision)
    faults.push(`has revision ${task.revision} and its job ${job.revision}`);
  if (job.acknowledged < job.revision) faults.push('has a job whose end was not acknowledged');
  return faults;
}

/** Only a job that never arrived may be absent; then it was not run, and the task says that it failed. */
function absentJobFaults(task: TaskRow, ran: number): string[] {
  const faults: string[] = [];
  if (task.state !== 'failed') faults.push(`is ${task.state} and its daemon has no such job`);
  if (task.revision > 0)
    faults.push(`was known to its daemon (revision ${task.revision}) and is not any more`);
  if (ran > 0) faults.push('ran though its daemon has no such job');
  return faults;
}
