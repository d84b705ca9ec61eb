import { randomUUID } from 'node:crypto';
import type { AcceptOutcome, ReportOutcome, Task, TaskReport, TaskStore } from '../../../../src/index.js';
import type { Broken } from '../broken-port.js';

export type BrokenStore = Broken<TaskStore>;
export type Accept = Parameters<TaskStore['accept']>;
export type AcceptAnswer = Parameters<TaskStore['acceptAnswer']>;

export const PLENTY = { limit: 1_000_000, windowMs: 3_600_000 };

/** Takes tasks with a draft that is not the one that came. */
export function accepting(change: (draft: Accept[0]) => Partial<Accept[0]>) {
  return (real: TaskStore): Partial<TaskStore> => ({
    accept: (draft, quota, times) => real.accept({ ...draft, ...change(draft) }, quota, times),
  });
}

/** Answers something else about a message than what became of it. */
export function deciding(
  change: (outcome: AcceptOutcome, draft: Accept[0]) => AcceptOutcome | Promise<AcceptOutcome>,
) {
  return (real: TaskStore): Partial<TaskStore> => ({
    accept: async (...message) => change(await real.accept(...message), message[0]),
  });
}

/** Shows other tasks than there are, by their id. */
export function showing(real: TaskStore, change: (task: Task) => Task | undefined): Partial<TaskStore> {
  return {
    find: async (...question) => {
      const task = await real.find(...question);
      return task && change(task);
    },
  };
}

/** Remembers the tasks that were taken, as they were then. */
export function remembering(real: TaskStore) {
  const tasks = new Map<string, Task>();
  const accept: TaskStore['accept'] = async (...message) => {
    const outcome = await real.accept(...message);
    if (outcome.kind === 'accepted') tasks.set(outcome.task.id, structuredClone(outcome.task));
    return outcome;
  };
  /** The task as it is by now, whoever asks. */
  const now = async (id: string): Promise<Task | undefined> => {
    const task = tasks.get(id);
    return task && (await real.find(task, id, 0));
  };
  return { tasks, accept, now };
}

/** A draft like another one, as a message of its own. */
export function anew(draft: Accept[0]): Accept[0] {
  return { ...draft, id: randomUUID(), retryKey: randomUUID(), contextIsNew: true };
}

/** Says something else of a report than what became of it. */
export function reportSaid(change: (outcome: ReportOutcome, report: TaskReport) => ReportOutcome) {
  return (real: TaskStore): Partial<TaskStore> => ({
    applyReport: async (...all) => change(await real.applyReport(...all), all[1]),
  });
}

/** The newest state of what was ignored, as if a terminal one were not for ever. */
export const reviving = reportSaid((outcome, { state }) =>
  outcome.kind === 'ignored' ? { kind: 'applied', task: { ...outcome.task, state } } : outcome,
);

/** Shows a task with members that are kept beside it. */
export function beside(real: TaskStore) {
  const kept = new Map<string, Partial<Task>>();
  const note = (id: string, members: Partial<Task>) => void kept.set(id, { ...kept.get(id), ...members });
  return { note, ...showing(real, (task) => ({ ...task, ...kept.get(task.id) })) };
}
