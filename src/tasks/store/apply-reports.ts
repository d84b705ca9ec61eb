import type { EntityManager } from 'typeorm';
import { isTerminal } from '../../a2a/index.js';
import { questionOf, type Task, type TaskReport } from '../task.js';
import type { ReportOutcome } from '../task-store.js';
import { packedTask, unpackTask } from './packed-task.js';
import { GIVEN_LINES, rowsOf } from './task-row.js';

export interface ArrivedReport {
  computerId: string;
  report: TaskReport;
  times: { nowMs: number; checked: boolean };
}

/** What a group makes of one task. */
interface ChangedTask {
  task: Task;
  /** Whether a report was applied; else only the time of the last check has changed. */
  isApplied: boolean;
}

/**
 * Takes over what daemons say, as if one report after another; the rules are those of `TaskStore.applyReport`. The tasks
 * are read first, inside the write transaction, so that nothing can change before they are written; each is then
 * written once, however many reports of it there are.
 */
export async function applyReports(
  manager: EntityManager,
  arrived: ArrivedReport[],
): Promise<ReportOutcome[]> {
  const tasks = await reportedTasks(manager, arrived);
  const changed = new Map<string, ChangedTask>();
  const questions: Task[] = [];

  const decide = ({ computerId, report, times }: ArrivedReport): ReportOutcome => {
    const task = tasks.get(report.taskId);
    if (task?.computerId !== computerId || task.expiresAtMs <= times.nowMs) return { kind: 'unknown' };
    if (isTerminal(task.state)) return { kind: 'ignored', task };
    const isNewer = task.revision < report.revision;
    if (!isNewer && !times.checked) return { kind: 'ignored', task };
    const after = isNewer ? withReport(task, report, times.nowMs) : { ...task };
    if (times.checked) after.lastCheckedAtMs = Math.max(task.lastCheckedAtMs ?? 0, times.nowMs);
    if (isNewer && after.state === 'input_required') questions.push(after);
    tasks.set(after.id, after);
    changed.set(after.id, { task: after, isApplied: isNewer || changed.get(after.id)?.isApplied === true });
    return { kind: isNewer ? 'applied' : 'ignored', task: after };
  };
  const outcomes = arrived.map(decide);

  await writeTasks(manager, [...changed.values()]);
  for (const asking of questions) await addQuestion(manager, asking);
  return outcomes;
}

async function reportedTasks(manager: EntityManager, arrived: ArrivedReport[]): Promise<Map<string, Task>> {
  const ids = new Set(arrived.map(({ report }) => report.taskId));
  const rows = await rowsOf<{ packed: string }>(
    manager,
    `SELECT ${packedTask('reply', 'NULL')} 
     FROM (SELECT value AS of_task FROM json_each(?)) CROSS JOIN tasks WHERE id = of_task`,
    [JSON.stringify([...ids])],
  );
  const tasks = rows.map(({ packed }) => unpackTask(packed).task);
  return new Map(tasks.map((task) => [task.id, task]));
}

/** The status time is set when the status says something else than before; it never moves backwards. */
function withReport(task: Task, report: TaskReport, nowMs: number): Task {
  const saysTheSame = task.state === report.state && task.statusText === report.statusText;
  const after: Task = { ...task, state: report.state, revision: report.revision };
  if (!saysTheSame) after.statusAtMs = Math.max(task.statusAtMs, nowMs);
  if (report.statusText !== undefined) after.statusText = report.statusText;
  else if (task.statusText !== undefined) delete after.statusText;
  if (task.pendingAnswer !== undefined) delete after.pendingAnswer;
  if (report.reply !== undefined) {
    after.reply = report.reply;
    after.replyTruncated = report.replyTruncated ?? false;
  }
  return after;
}

async function writeTasks(manager: EntityManager, changed: ChangedTask[]): Promise<void> {
  const applied = changed.filter(({ isApplied }) => isApplied);
  if (applied.length > 0) await rowsOf(manager, APPLY, [JSON.stringify(applied.map(valuesOf))]);
  const checked = changed.filter(({ isApplied }) => !isApplied);
  if (checked.length > 0) await rowsOf(manager, CHECK, [JSON.stringify(checked.map(valuesOf))]);
}

/** Their columns have names that no column of `tasks` has. */
const CHANGED = `(SELECT line ->> 0 AS of_task, line ->> 1 AS new_check, line ->> 2 AS new_state, line ->> 3 AS new_time,
  line ->> 4 AS new_revision, line ->> 5 AS new_pending, line ->> 6 AS new_truncated, line ->> 7 AS new_text,
  line ->> 8 AS new_reply FROM given) AS changed`;
const APPLY = `${GIVEN_LINES} UPDATE tasks SET last_checked_at = new_check, state = new_state, status_at = new_time,
    revision = new_revision, pending_answer = new_pending, reply_truncated = new_truncated, status_text = new_text,
    reply = new_reply FROM ${CHANGED} WHERE id = of_task`;
const CHECK = `${GIVEN_LINES} UPDATE tasks SET last_checked_at = new_check FROM ${CHANGED} WHERE id = of_task`;

function valuesOf({ task }: ChangedTask): unknown[] {
  return [
    task.id,
    task.lastCheckedAtMs ?? null,
    task.state,
    task.statusAtMs,
    task.revision,
    task.pendingAnswer ?? null,
    task.replyTruncated,
    task.statusText ?? null,
    task.reply ?? null,
  ];
}

/**
 * A question is part of the conversation: it stays in the history when the state has moved on (requirement P6). One
 * that replaces an unanswered one takes its place, so that the history grows with the caller's messages alone.
 */
async function addQuestion(manager: EntityManager, task: Task): Promise<void> {
  if (task.statusText === undefined) return;
  await manager.query(
    `INSERT OR REPLACE INTO messages (task_id, position, body)
     SELECT ?1, MAX(position) + (json_extract(body, '$.role') = 'user'), ?2 FROM messages WHERE task_id = ?1`,
    [task.id, JSON.stringify(questionOf(task, task.statusText))],
  );
}
