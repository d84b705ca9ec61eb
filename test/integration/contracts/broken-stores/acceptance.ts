import { randomUUID } from 'node:crypto';
import { type BrokenStore, accepting, remembering } from './broken-store.js';

export const BROKEN_AT_ACCEPTANCE: BrokenStore[] = [
  [
    'an accepted task is what its draft says',
    'keeps one part of a message',
    accepting(({ message }) => ({ message: { ...message, parts: message.parts.slice(0, 1) } })),
  ],
  [
    'an accepted task is what its draft says',
    'takes every task as one that cannot be answered',
    accepting(() => ({ interactive: false })),
  ],
  [
    'an accepted task is what its draft says',
    'keeps a task for a day',
    (real) => ({
      accept: (draft, quota, { nowMs }) =>
        real.accept(draft, quota, { nowMs, expiresAtMs: nowMs + 86_400_000 }),
    }),
  ],
  [
    'a task id is used once',
    'gives the second task of an id another one',
    (real) => {
      const taken = new Set<string>();
      return {
        accept: (draft, quota, times) => {
          const id = taken.has(draft.id) ? randomUUID() : draft.id;
          taken.add(id);
          return real.accept({ ...draft, id }, quota, times);
        },
      };
    },
  ],
  [
    'a task id is used once',
    'lets those that came together fail together',
    (real) => {
      const underWay: Promise<unknown>[] = [];
      return {
        accept: async (...message) => {
          const outcome = real.accept(...message);
          underWay.push(outcome);
          await Promise.resolve();
          await Promise.all(underWay);
          return outcome;
        },
      };
    },
  ],
  [
    'a task of another scope is as good as absent',
    'finds the task of anybody',
    (real) => {
      const { tasks, accept } = remembering(real);
      return { accept, find: (scope, id, nowMs) => real.find(tasks.get(id) ?? scope, id, nowMs) };
    },
  ],
  [
    'a task of another scope is as good as absent',
    'shows the messages to every assistant of the account',
    (real) => {
      const { tasks, accept } = remembering(real);
      return {
        accept,
        findWithHistory: ({ accountId, agentId }, id, length, nowMs) =>
          real.findWithHistory({ accountId, agentId: tasks.get(id)?.agentId ?? agentId }, id, length, nowMs),
      };
    },
  ],
  [
    'a task of another scope is as good as absent',
    'lists for the account alone',
    (real) => ({ list: (query) => real.list({ ...query, scope: { ...query.scope, agentId: 'desk' } }) }),
  ],
  [
    'a task of another scope is as good as absent',
    'counts for the assistant alone',
    (real) => ({ count: (scope, ...more) => real.count({ ...scope, accountId: 'ada' }, ...more) }),
  ],
  [
    'a context is known while one of its tasks is',
    'takes any context',
    accepting(() => ({ contextIsNew: true })),
  ],
  [
    'a context is known while one of its tasks is',
    'forgets a context with its first task',
    (real) => {
      const ends = new Map<string, number>();
      return {
        accept: async (draft, quota, times) => {
          if ((ends.get(draft.contextId) ?? Infinity) <= times.nowMs) return { kind: 'unknown_context' };
          const outcome = await real.accept(draft, quota, times);
          if (outcome.kind === 'accepted' && draft.contextIsNew) ends.set(draft.contextId, times.expiresAtMs);
          return outcome;
        },
      };
    },
  ],
  [
    'a message with an unknown context leaves nothing',
    'makes the context that it does not know',
    (real) => {
      const asked = new Set<string>();
      return {
        accept: (draft, quota, times) => {
          const contextIsNew = draft.contextIsNew || asked.has(draft.contextId);
          asked.add(draft.contextId);
          return real.accept({ ...draft, contextIsNew }, quota, times);
        },
      };
    },
  ],
  [
    'a context of one scope is unknown in another',
    'keeps one list of contexts for all',
    (real) => {
      const known = new Set<string>();
      return {
        accept: (draft, quota, times) => {
          const contextIsNew = draft.contextIsNew || known.has(draft.contextId);
          if (draft.contextIsNew) known.add(draft.contextId);
          return real.accept({ ...draft, contextIsNew }, quota, times);
        },
      };
    },
  ],
  [
    'the key is checked before the context',
    'counts first',
    (real) => ({
      accept: async (draft, quota, times) =>
        quota.limit === 0
          ? { kind: 'quota_exceeded', retryAfterMs: quota.windowMs }
          : real.accept(draft, quota, times),
    }),
  ],
  [
    'the key is checked before the context',
    'looks for the context first',
    (real) => ({
      accept: async (draft, quota, times) => {
        const { scope, contextId } = draft;
        const known = draft.contextIsNew || (await real.count(scope, { contextId }, times.nowMs)) > 0;
        return known ? real.accept(draft, quota, times) : { kind: 'unknown_context' };
      },
    }),
  ],
  [
    'decided upon as if one after another',
    'looks for the context before what came together is written',
    (real) => ({
      accept: async (draft, quota, times) => {
        const { scope, contextId, retryKey } = draft;
        const known = await real.findByRetryKey(scope, retryKey, times.nowMs);
        const isThere = draft.contextIsNew || (await real.count(scope, { contextId }, times.nowMs)) > 0;
        return known || isThere ? real.accept(draft, quota, times) : { kind: 'unknown_context' };
      },
    }),
  ],
  [
    'a message comes back as it was',
    'copies the metadata member by member',
    accepting(({ message }) => ({
      // Not by spreading, which keeps what is called `__proto__`.
      message: {
        ...message,
        metadata: Object.assign<Record<string, unknown>, object>({}, message.metadata ?? {}),
      },
    })),
  ],
  [
    'a message comes back as it was',
    'normalizes texts',
    accepting(({ message }) => ({
      message: { ...message, parts: message.parts.map(({ text }) => ({ text: text.normalize() })) },
    })),
  ],
  [
    'a message comes back as it was',
    'cuts texts at a zero character',
    accepting(({ message }) => ({
      message: {
        ...message,
        parts: message.parts.map(({ text }) => ({ text: text.split('\u0000')[0] ?? '' })),
      },
    })),
  ],
];
