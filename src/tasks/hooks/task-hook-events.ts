import { isTerminal, type TaskState } from '../../a2a/index.js';
import type { TaskHappening } from '../task-events.service.js';
import type { Task } from '../task.js';

/** What a provider can listen to. */
export const TASK_EVENT_KINDS = [
  'submitted',
  'working',
  'input_required',
  'finished',
  'withdrawn',
  'pruned',
] as const;
export type TaskEventKind = (typeof TASK_EVENT_KINDS)[number];

/** A change of a task, as it is on disk. Without texts unless they were asked for. */
export interface TaskChange {
  /**
   * `submitted`: the message was accepted. `withdrawn`: its computer did not take it, and it was never there. `working` may
   * come more than once, `finished` comes once and is the last one before `pruned`.
   */
  readonly kind: Exclude<TaskEventKind, 'pruned'>;
  readonly taskId: string;
  readonly contextId: string;
  /** Who sent the message. */
  readonly accountId: string;
  readonly agentId: string;
  readonly state: TaskState;
  /** When the state was recorded; milliseconds since the epoch. */
  readonly statusAtMs: number;
  /** The question or explanation that belongs to the state; with `texts` alone. */
  readonly statusText?: string;
  /** With `texts` alone. */
  readonly reply?: string;
}

/** The task's time is over, and all else of it is gone (requirement K2). */
export interface TaskPruned {
  readonly kind: 'pruned';
  readonly taskId: string;
}

/** The event that a listener of these kinds gets. */
export type TaskEventOf<K extends TaskEventKind> =
  | (K extends 'pruned' ? TaskPruned : never)
  | (Exclude<K, 'pruned'> extends never ? never : TaskChange & { readonly kind: Exclude<K, 'pruned'> });

/** @returns what listeners hear of it, frozen since they share it; nothing of partial output, and of a job that only stands in line */
export function hookEventOf(
  happening: TaskHappening,
): { event: TaskChange | TaskPruned; task?: Task } | undefined {
  switch (happening.kind) {
    case 'partial':
      return undefined;
    case 'pruned':
      return { event: Object.freeze({ kind: 'pruned', taskId: happening.taskId }) };
    case 'submitted':
    case 'withdrawn':
      return { event: changeOf(happening.kind, happening.task), task: happening.task };
    case 'changed': {
      const kind = kindOf(happening.task.state);
      return kind && { event: changeOf(kind, happening.task), task: happening.task };
    }
  }
}

/** The same event with the texts of its task. */
export function withTexts(event: TaskChange | TaskPruned, task: Task | undefined): TaskChange | TaskPruned {
  if (event.kind === 'pruned' || !task) return event;
  const { statusText, reply } = task;
  return Object.freeze({
    ...event,
    ...(statusText !== undefined && { statusText }),
    ...(reply !== undefined && { reply }),
  });
}

function kindOf(state: TaskState): TaskChange['kind'] | undefined {
  if (isTerminal(state)) return 'finished';
  return state === 'working' || state === 'input_required' ? state : undefined;
}

function changeOf(kind: TaskChange['kind'], task: Task): TaskChange {
  const { id: taskId, contextId, accountId, agentId, state, statusAtMs } = task;
  return Object.freeze({ kind, taskId, contextId, accountId, agentId, state, statusAtMs });
}
