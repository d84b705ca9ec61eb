import { setImmediate as turn } from 'node:timers/promises';
import type { Task, TaskStore } from '../../../../src/index.js';
import { type BrokenStore, remembering, showing } from './broken-store.js';

/** Looks at the task, and takes it away in a step of its own. */
function lookingFirst(
  real: TaskStore,
  mayGo: (task: Task | undefined) => boolean,
  between: () => unknown = () => undefined,
): Partial<TaskStore> {
  const { accept, now } = remembering(real);
  const hidden = new Set<string>();
  return {
    ...showing(real, (task) => (hidden.has(task.id) ? undefined : task)),
    accept,
    withdraw: async (id) => {
      if (!mayGo(await now(id))) return false;
      await between();
      hidden.add(id);
      return true;
    },
  };
}

export const BROKEN_WITHDRAWALS: BrokenStore[] = [
  ['withdrawing leaves nothing', 'says so alone', () => ({ withdraw: async () => true })],
  [
    'withdrawing leaves nothing',
    'keeps the messages',
    (real) => {
      const kept = new Map<string, Awaited<ReturnType<TaskStore['history']>>>();
      return {
        withdraw: async (id) => {
          kept.set(id, await real.history(id));
          return real.withdraw(id);
        },
        history: async (id, length) => kept.get(id) ?? real.history(id, length),
      };
    },
  ],
  [
    'withdrawing leaves nothing',
    'keeps the key',
    (real) => {
      const fingerprints = new Map<string, string>();
      return {
        accept: async (draft, ...more) => {
          const known = fingerprints.get(draft.retryKey) ?? draft.fingerprint;
          fingerprints.set(draft.retryKey, known);
          return known === draft.fingerprint ? real.accept(draft, ...more) : { kind: 'conflict' };
        },
      };
    },
  ],
  [
    'withdrawing leaves nothing',
    'keeps the context',
    (real) => {
      const known = new Set<string>();
      return {
        accept: (draft, ...more) => {
          const contextIsNew = draft.contextIsNew || known.has(draft.contextId);
          known.add(draft.contextId);
          return real.accept({ ...draft, contextIsNew }, ...more);
        },
      };
    },
  ],
  [
    'of which something was heard is not withdrawn',
    'says so of every task',
    (real) => ({
      withdraw: async (id) => {
        await real.withdraw(id);
        return true;
      },
    }),
  ],
  [
    'of which something was heard is not withdrawn',
    'looks at the state and not at the revision',
    (real) => lookingFirst(real, (task) => task?.state === 'submitted'),
  ],
  [
    'withdrawing happens once, and to one task',
    'says to everybody that it did',
    (real) => {
      const gone = new Map<string, Promise<boolean>>();
      return {
        withdraw: (id) => {
          const done = gone.get(id) ?? real.withdraw(id);
          gone.set(id, done);
          return done;
        },
      };
    },
  ],
  [
    'withdrawing happens once, and to one task',
    'takes the whole context away',
    (real) => {
      const { tasks, accept } = remembering(real);
      return {
        accept,
        withdraw: async (id) => {
          const contextId = tasks.get(id)?.contextId;
          const done = await real.withdraw(id);
          for (const task of tasks.values()) if (task.contextId === contextId) await real.withdraw(task.id);
          return done;
        },
      };
    },
  ],
  [
    'a task is withdrawn or reported',
    'looks first, and deletes then',
    (real) => lookingFirst(real, (task) => task?.revision === 0, turn),
  ],
];
