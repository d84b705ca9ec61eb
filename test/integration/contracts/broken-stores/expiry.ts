import type { Message, Task, TaskStore } from '../../../../src/index.js';
import { type BrokenStore, remembering, showing } from './broken-store.js';

const ABSENT = 'an expired task is absent for every read';
const UNTOUCHED = 'an expired task is absent for what would change it';
const WHAT = 'shows it a moment too long';

const DELETED = 'deleting takes what has expired';
const ENDED = 'work that is open when it expires is ended';

/** Goes on to keep the keys of what has expired. */
const keepingKeys = (real: TaskStore): Partial<TaskStore> => {
  const { tasks, accept } = remembering(real);
  const used = new Map<string, Task>();
  return {
    accept: async (...message) => {
      if (used.has(message[0].retryKey)) return { kind: 'conflict' };
      const outcome = await accept(...message);
      const task = tasks.get(message[0].id);
      if (task) used.set(message[0].retryKey, task);
      return outcome;
    },
    acceptAnswer: async (...answer) => {
      if (used.has(answer[0].retryKey)) return { kind: 'conflict' };
      return real.acceptAnswer(...answer);
    },
  };
};

export const BROKEN_EXPIRIES: BrokenStore[] = [
  [ABSENT, WHAT, (real) => ({ find: (scope, id, nowMs) => real.find(scope, id, nowMs - 1) })],
  [
    ABSENT,
    `${WHAT}, with its messages`,
    (real) => ({
      findWithHistory: (scope, id, length, nowMs) => real.findWithHistory(scope, id, length, nowMs - 1),
    }),
  ],
  [
    ABSENT,
    `${WHAT} by its key`,
    (real) => ({ findByRetryKey: (scope, key, nowMs) => real.findByRetryKey(scope, key, nowMs - 1) }),
  ],
  [
    ABSENT,
    `${WHAT} in lists`,
    (real) => ({ list: (query) => real.list({ ...query, nowMs: query.nowMs - 1 }) }),
  ],
  [
    ABSENT,
    'counts it a moment too long',
    (real) => ({ count: (scope, filter, nowMs) => real.count(scope, filter, nowMs - 1) }),
  ],
  [
    ABSENT,
    'asks about it a moment too long',
    (real) => ({ openTasks: (computerId, limit, nowMs) => real.openTasks(computerId, limit, nowMs - 1) }),
  ],
  [ABSENT, 'hides it too early', (real) => ({ find: (scope, id, nowMs) => real.find(scope, id, nowMs + 1) })],
  [
    UNTOUCHED,
    'takes reports of it',
    (real) => ({
      applyReport: (computerId, report, times) =>
        real.applyReport(computerId, report, { ...times, nowMs: times.nowMs - 1 }),
    }),
  ],
  [
    UNTOUCHED,
    'fails it',
    (real) => ({
      failUnknown: (computerId, question, text, nowMs) =>
        real.failUnknown(computerId, question, text, nowMs - 1),
    }),
  ],
  [
    UNTOUCHED,
    'notes that it is to be canceled',
    (real) => ({ recordCancelRequest: (id, nowMs) => real.recordCancelRequest(id, nowMs - 1) }),
  ],
  ['the keys of an expired task are free', 'keeps them', keepingKeys],
  [
    'the keys of an expired task are free',
    'loses the task that had the key',
    (real) => {
      const lost = new Set<string>();
      return {
        ...showing(real, (task) => (lost.has(task.id) ? undefined : task)),
        accept: async (draft, quota, times) => {
          const before = await real.findByRetryKey(draft.scope, draft.retryKey, 0);
          if (before && before.task.expiresAtMs <= times.nowMs) lost.add(before.task.id);
          return real.accept(draft, quota, times);
        },
      };
    },
  ],
  ['an answer may be sent under the key of an expired message', 'keeps them', keepingKeys],
  [
    DELETED,
    'keeps the messages',
    (real) => {
      const kept = new Map<string, Message[]>();
      return {
        endExpired: async (...end) => {
          const ended = await real.endExpired(...end);
          for (const { id } of ended) kept.set(id, await real.history(id));
          return ended;
        },
        history: async (id, length) => kept.get(id) ?? (await real.history(id, length)),
      };
    },
  ],
  [
    DELETED,
    'deletes more than it was asked to',
    (real) => ({ deleteExpired: (limit, nowMs) => real.deleteExpired(limit + 1, nowMs) }),
  ],
  [
    DELETED,
    'deletes too early',
    (real) => ({ deleteExpired: (limit, nowMs) => real.deleteExpired(limit, nowMs + 1) }),
  ],
  [
    DELETED,
    'names one computer for all',
    (real) => ({
      deleteExpired: async (...all) =>
        (await real.deleteExpired(...all)).map(({ taskId }) => ({ taskId, computerId: 'computer-1' })),
    }),
  ],
  [
    DELETED,
    'keeps the keys of answers',
    (real) => {
      const kept = new Map<string, { task: Task; fingerprint: string }>();
      return {
        acceptAnswer: async (...answer) => {
          const outcome = await real.acceptAnswer(...answer);
          const [{ retryKey, fingerprint }] = answer;
          if (outcome.kind === 'accepted') kept.set(retryKey, { task: outcome.task, fingerprint });
          return outcome;
        },
        findByRetryKey: async (scope, key, nowMs) =>
          kept.get(key) ?? (await real.findByRetryKey(scope, key, nowMs)),
      };
    },
  ],
  [
    'work that is open when it expires is not deleted',
    'deletes what somebody waits for',
    (real) => ({
      deleteExpired: async (limit, nowMs) => {
        await real.endExpired(limit, '', nowMs);
        return real.deleteExpired(limit, nowMs);
      },
    }),
  ],
  [
    ENDED,
    'ends too early',
    (real) => ({ endExpired: (limit, text, nowMs) => real.endExpired(limit, text, nowMs + 1) }),
  ],
  [
    ENDED,
    'ends all at once',
    (real) => ({ endExpired: (_, text, nowMs) => real.endExpired(1000, text, nowMs) }),
  ],
  [
    ENDED,
    'does not say why',
    (real) => ({ endExpired: (limit, _, nowMs) => real.endExpired(limit, '', nowMs) }),
  ],
  [
    ENDED,
    'begins with the newest',
    (real) => {
      let ended: Task[] = [];
      return {
        endExpired: async (limit, text, nowMs) => {
          ended.push(...(await real.endExpired(1000, text, nowMs)).reverse());
          const portion = ended.slice(0, limit);
          ended = ended.slice(limit);
          return portion;
        },
      };
    },
  ],
  [
    'what was ended stays absent',
    'takes the time as it comes',
    (real) => ({
      endExpired: async (limit, text, nowMs) =>
        (await real.endExpired(limit, text, nowMs)).map((task) => ({ ...task, statusAtMs: nowMs })),
    }),
  ],
  [
    'what was ended stays absent',
    'shows how it ended',
    (real) => {
      const ended = new Set<string>();
      return {
        endExpired: async (...end) => {
          const tasks = await real.endExpired(...end);
          for (const { id } of tasks) ended.add(id);
          return tasks;
        },
        find: (scope, id, nowMs) => real.find(scope, id, ended.has(id) ? 0 : nowMs),
      };
    },
  ],
];
