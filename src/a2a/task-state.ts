/** The states of a task, in the neutral spelling of the core; each wire has its own spelling. */
export const TASK_STATES = [
  'submitted',
  'working',
  'input_required',
  'completed',
  'failed',
  'canceled',
  'rejected',
] as const;

export type TaskState = (typeof TASK_STATES)[number];

/** States that a task never leaves again (specification §3.1.5, requirement G5). */
export const TERMINAL_STATES = ['completed', 'failed', 'canceled', 'rejected'] as const satisfies TaskState[];

export function isTerminal(state: TaskState): boolean {
  return (TERMINAL_STATES as readonly TaskState[]).includes(state);
}
