import { randomUUID } from 'node:crypto';
import type { Task } from '../../../../src/index.js';
import { type Accept, type BrokenStore, accepting, anew, remembering } from './broken-store.js';

const hasty = (real: Parameters<BrokenStore[2]>[0]) => ({
  accept: async (draft: Accept[0], quota: Accept[1], times: Accept[2]) => {
    const known = await real.findByRetryKey(draft.scope, draft.retryKey, times.nowMs);
    if (!known) return real.accept({ ...draft, retryKey: randomUUID() }, quota, times);
    return real.accept(draft, quota, times);
  },
});

export const BROKEN_KEYS: BrokenStore[] = [
  ['of concurrent copies one is accepted', 'looks for the key first, and writes then', hasty],
  ['with one key and other contents one is accepted', 'looks for the key first, and writes then', hasty],
  [
    'with one key and other contents one is accepted',
    'does not compare contents',
    accepting(() => ({ fingerprint: 'any' })),
  ],
  [
    'gets its task as it is by now',
    'gives the task of then',
    (real) => {
      const { tasks, accept } = remembering(real);
      return {
        accept: async (...message) => {
          const outcome = await accept(...message);
          if (outcome.kind !== 'repeated') return outcome;
          return { kind: 'repeated', task: tasks.get(outcome.task.id) ?? outcome.task };
        },
      };
    },
  ],
  [
    'gets its task as it is by now',
    'begins the task anew',
    (real) => ({
      accept: async (draft, quota, times) => {
        const outcome = await real.accept(draft, quota, times);
        return outcome.kind === 'repeated' ? real.accept(anew(draft), quota, times) : outcome;
      },
    }),
  ],
  [
    'is a conflict and changes nothing',
    'takes the message for a task of its own',
    (real) => ({
      accept: async (draft, quota, times) => {
        const outcome = await real.accept(draft, quota, times);
        if (outcome.kind === 'conflict') await real.accept(anew(draft), quota, times);
        return outcome;
      },
    }),
  ],
  [
    'is a conflict and changes nothing',
    'keeps the last fingerprint',
    (real) => {
      const last = new Map<string, string>();
      return {
        accept: (draft, ...more) => {
          last.set(draft.retryKey, draft.fingerprint);
          return real.accept(draft, ...more);
        },
        findByRetryKey: async (scope, key, nowMs) => {
          const found = await real.findByRetryKey(scope, key, nowMs);
          return found && { ...found, fingerprint: last.get(key) ?? '' };
        },
      };
    },
  ],
  [
    'a key of one scope is free in another',
    'has one list of keys for all assistants of an account',
    (real) => {
      const used = new Map<string, Task>();
      return {
        accept: async (...message) => {
          const key = `${message[0].scope.accountId} ${message[0].retryKey}`;
          const task = used.get(key);
          if (task) return { kind: 'repeated', task };
          const outcome = await real.accept(...message);
          if (outcome.kind === 'accepted') used.set(key, outcome.task);
          return outcome;
        },
      };
    },
  ],
  [
    'a key of one scope is free in another',
    'finds by the key of anybody',
    (real) => ({
      findByRetryKey: (_, ...key) => real.findByRetryKey({ accountId: 'ada', agentId: 'desk' }, ...key),
    }),
  ],
  ...(
    [
      ['does not tell small letters from capitals', (key: string) => key.toLowerCase()],
      ['leaves out spaces', (key: string) => key.trim()],
      ['cuts keys at a zero character', (key: string) => key.split('\u0000')[0] ?? ''],
      ['normalizes keys', (key: string) => key.normalize()],
      ['takes keys for numbers', (key: string) => (Number(key) ? String(Number(key)) : key)],
    ] as const
  ).map(([what, change]): BrokenStore => [
    'keys are compared to their last character',
    what,
    accepting(({ retryKey }) => ({ retryKey: change(retryKey) })),
  ]),
  [
    'a key leads to its task as it is by now',
    'gives the task of then',
    (real) => {
      const { tasks, accept } = remembering(real);
      return {
        accept,
        findByRetryKey: async (...question) => {
          const found = await real.findByRetryKey(...question);
          return found && { ...found, task: tasks.get(found.task.id) ?? found.task };
        },
      };
    },
  ],
];
