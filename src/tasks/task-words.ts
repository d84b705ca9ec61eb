import type { Message } from '../a2a/index.js';
import { questionOf, type Task } from './task.js';

/*
 * What a task says of itself beyond its state, the same on both wires.
 */

/** The message of the task's state: its question, as it stands in the history, or an explanation. */
export function statusMessageOf(task: Task): Message | undefined {
  if (task.statusText === undefined) return undefined;
  if (task.state === 'input_required') return questionOf(task, task.statusText);
  return { messageId: `${task.id}-status`, role: 'agent', parts: [{ text: task.statusText }] };
}

/** The id of the one artifact that a task has (requirement S10). */
export function replyIdOf(task: Pick<Task, 'id'>): string {
  return `${task.id}-reply`;
}

/** `metadata` of the reply: whether it was cut to the limit (requirement S10). */
export function replyMetadataOf({ replyTruncated }: Task): Record<string, unknown> | undefined {
  return replyTruncated ? { hello: { truncated: true } } : undefined;
}

/** `metadata` of the task: when its computer was last asked, and when it was asked to stop (requirements G1, G5). */
export function taskMetadataOf(task: Task): Record<string, unknown> | undefined {
  const hello: Record<string, string> = {};
  if (task.lastCheckedAtMs !== undefined) hello['lastCheckedAt'] = timestampOf(task.lastCheckedAtMs);
  if (task.cancelRequestedAtMs !== undefined)
    hello['cancelRequestedAt'] = timestampOf(task.cancelRequestedAtMs);
  return Object.keys(hello).length > 0 ? { hello } : undefined;
}

/** RFC 3339 in UTC with milliseconds (specification §5.6.1). */
export function timestampOf(ms: number): string {
  return new Date(ms).toISOString();
}
