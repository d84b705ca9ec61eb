import type { TaskStore } from '../../../../src/index.js';
import { type BrokenStore, remembering } from './broken-store.js';

const sayingIt = (real: TaskStore): Partial<TaskStore> => ({
  withdrawAnswer: async (task) => {
    await real.withdrawAnswer(task);
    return true;
  },
});

export const BROKEN_ANSWER_WITHDRAWALS: BrokenStore[] = [
  [
    'an answer that was not handed over is gone',
    'says so alone',
    () => ({ withdrawAnswer: async () => true }),
  ],
  ['an answer that was not handed over is gone', 'says so twice', sayingIt],
  [
    'an answer that was not handed over is gone',
    'keeps its key',
    (real) => {
      const fingerprints = new Map<string, string>();
      return {
        acceptAnswer: async (draft, ...more) => {
          const known = fingerprints.get(draft.retryKey) ?? draft.fingerprint;
          fingerprints.set(draft.retryKey, known);
          return known === draft.fingerprint ? real.acceptAnswer(draft, ...more) : { kind: 'conflict' };
        },
      };
    },
  ],
  ['an answer that a report settled is not withdrawn', 'says that it was', sayingIt],
  [
    'withdrawing an earlier answer leaves the present one alone',
    'withdraws what is on its way',
    (real) => {
      const { accept, now } = remembering(real);
      return {
        accept,
        withdrawAnswer: async (task) => real.withdrawAnswer((await now(task.id)) ?? task),
      };
    },
  ],
];
