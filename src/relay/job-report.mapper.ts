import type { JobReport, JobState, SubmitResult } from '../relay-protocol/index.js';
import type { TaskReport } from '../tasks/index.js';

/** The job's states in the core's words (docs/relay-protocol.md, "States"). */
const TASK_STATE_OF: Record<JobState, TaskReport['state']> = {
  queued: 'submitted',
  running: 'working',
  input_required: 'input_required',
  succeeded: 'completed',
  failed: 'failed',
  canceled: 'canceled',
  rejected: 'rejected',
};

export function toTaskReport(job: JobReport): TaskReport {
  return {
    taskId: job.jobId,
    state: TASK_STATE_OF[job.state],
    revision: job.revision,
    ...(job.reply === undefined ? {} : { reply: job.reply }),
    ...(job.replyTruncated === undefined ? {} : { replyTruncated: job.replyTruncated }),
    ...(job.statusText === undefined ? {} : { statusText: job.statusText }),
  };
}

/**
 * What the answer to a submission says. It carries no reply, question or explanation, so a state that has
 * one is taken as "working" of the revision before: the update that brings it must still count as newer.
 */
export function fromSubmission(taskId: string, { state, revision }: SubmitResult): TaskReport {
  if (state === 'queued' || state === 'running') return { taskId, state: TASK_STATE_OF[state], revision };
  return { taskId, state: 'working', revision: Math.max(0, revision - 1) };
}
