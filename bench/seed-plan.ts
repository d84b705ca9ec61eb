/** The account whose tasks are there before the load begins. */
export const READER = 'account-reader';
/** What every message says and every reply repeats; with it a task takes about 2 KB on disk. */
export const TEXT = 'All work and no play makes for a dull benchmark. '.repeat(13).slice(0, 600);

const DAYS_MS = 86_400_000;
const LONGEST_JOB_MS = 600_000;

export interface PlannedTask {
  id: string;
  contextId: string;
  messageId: string;
  createdAtMs: number;
  statusAtMs: number;
}

/**
 * Task number `n` of `total`: created evenly over the six days up to `untilMs`, and finished after up to ten
 * minutes, so that the order of lists is not the order of creation. Always the same for the same arguments.
 */
export function plannedTask(n: number, total: number, untilMs: number): PlannedTask {
  const createdAtMs = Math.floor(untilMs - LONGEST_JOB_MS - 6 * DAYS_MS * (1 - n / total));
  return {
    id: seedTaskId(n),
    // Ten tasks to a conversation.
    contextId: `context-${Math.floor(n / 10)}`,
    messageId: `message-${n}`,
    createdAtMs,
    statusAtMs: createdAtMs + Math.floor(scattered(n) * LONGEST_JOB_MS),
  };
}

export function plannedTasks(total: number, untilMs: number): PlannedTask[] {
  return Array.from({ length: total }, (_, n) => plannedTask(n, total, untilMs));
}

/** The ids of the plan in the order of lists: newest status first, then newest id. */
export function listOrder(tasks: readonly PlannedTask[]): string[] {
  return [...tasks]
    .sort((left, right) => right.statusAtMs - left.statusAtMs || (left.id < right.id ? 1 : -1))
    .map(({ id }) => id);
}

/** Of the form of the ids that the service makes. */
export function seedTaskId(n: number): string {
  return `01900000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
}

/** A number from 0 to 1 that looks random and is the same for the same `n` (an integer hash after Murmur3's finish). */
export function scattered(n: number): number {
  let bits = Math.imul(n ^ (n >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}
