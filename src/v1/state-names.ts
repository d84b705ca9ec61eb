import type { TaskState } from '../a2a/index.js';

/** `TaskState` of the protocol, by its number (specification §4.1.3). */
export const STATE_NAMES = [
  'TASK_STATE_UNSPECIFIED',
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_REJECTED',
  'TASK_STATE_AUTH_REQUIRED',
] as const;

export type StateName = (typeof STATE_NAMES)[number];

const NAME_OF: Record<TaskState, StateName> = {
  submitted: 'TASK_STATE_SUBMITTED',
  working: 'TASK_STATE_WORKING',
  input_required: 'TASK_STATE_INPUT_REQUIRED',
  completed: 'TASK_STATE_COMPLETED',
  failed: 'TASK_STATE_FAILED',
  canceled: 'TASK_STATE_CANCELED',
  rejected: 'TASK_STATE_REJECTED',
};

export function stateName(state: TaskState): StateName {
  return NAME_OF[state];
}

/** @returns the core's state, or `undefined` for one that no task of this product ever has */
export function stateOf(name: StateName): TaskState | undefined {
  return (Object.keys(NAME_OF) as TaskState[]).find((state) => NAME_OF[state] === name);
}
