import assert from 'node:assert/strict';
import {
  DAY,
  END,
  HOUR,
  NOW,
  OTHER_SCOPES,
  SCOPE,
  type StoreRule,
  accept,
  accepted,
  apply,
  find,
  kindsOf,
  listed,
  report,
  same,
} from './store-rule.rules.js';

/** How tasks are taken. */
export const ACCEPTANCE_RULES: StoreRule[] = [
  {
    title: '[S1] an accepted task is what its draft says, with its message',
    async check({ store }) {
      const message = { messageId: 'm', role: 'user' as const, parts: [{ text: 'a' }, { text: 'b' }] };
      const task = await accepted(store, { contextId: 'c', computerId: 'tower', interactive: true, message });
      same(task, {
        id: task.id,
        ...SCOPE,
        contextId: 'c',
        computerId: 'tower',
        state: 'submitted',
        statusAtMs: NOW,
        createdAtMs: NOW,
        expiresAtMs: END,
        revision: 0,
        interactive: true,
        replyTruncated: false,
      });
      same(await find(store, task.id), task);
      same(await store.history(task.id), [message]);
    },
  },
  {
    title: '[S1] a task id is used once; the message that is rejected for it leaves nothing behind',
    async check({ store }) {
      const task = await accepted(store, { retryKey: 'k' });
      const again = { id: task.id, retryKey: 'other', contextId: 'other' };
      const [refused, beside] = await Promise.allSettled([
        accept(store, again),
        accept(store, { retryKey: 'beside' }),
      ]);
      assert.equal(refused.status, 'rejected');
      assert.equal(beside.status, 'fulfilled');
      same(await find(store, task.id), task);
      assert.equal((await store.history(task.id)).length, 1);
      assert.equal(await store.findByRetryKey(SCOPE, 'other', NOW), undefined);
      const followUp = { contextId: 'other', contextIsNew: false };
      assert.equal((await accept(store, followUp)).kind, 'unknown_context');
      assert.equal(await store.count(SCOPE, {}, NOW), 2);
    },
  },
  {
    title: '[H4] a task of another scope is as good as absent',
    async check({ store }) {
      const task = await accepted(store);
      for (const scope of OTHER_SCOPES) {
        assert.equal(await store.find(scope, task.id, NOW), undefined);
        assert.equal(await store.findWithHistory(scope, task.id, undefined, NOW), undefined);
        same(await listed(store, { scope }), []);
        assert.equal(await store.count(scope, {}, NOW), 0);
      }
    },
  },
  {
    title: '[S6] a context is known while one of its tasks is',
    async check({ store }) {
      const followUp = { contextId: 'c', contextIsNew: false };
      assert.equal((await accept(store, followUp)).kind, 'unknown_context');
      await accepted(store, { contextId: 'c' });
      assert.equal((await accept(store, followUp, NOW + 6 * DAY)).kind, 'accepted');
      assert.equal((await accept(store, followUp, NOW + 12 * DAY)).kind, 'accepted');
      assert.equal((await accept(store, followUp, NOW + 19 * DAY)).kind, 'unknown_context');
    },
  },
  {
    title: '[S6] a message with an unknown context leaves nothing, and makes none',
    async check({ store }) {
      const lost = { retryKey: 'k', contextId: 'c', contextIsNew: false };
      assert.equal((await accept(store, lost)).kind, 'unknown_context');
      assert.equal((await accept(store, lost)).kind, 'unknown_context');
      assert.equal(await store.findByRetryKey(SCOPE, 'k', NOW), undefined);
      assert.equal(await store.count(SCOPE, {}, NOW), 0);
    },
  },
  {
    title: '[B66] [H4] [S6] a context of one scope is unknown in another',
    async check({ store }) {
      await accepted(store, { contextId: 'c' });
      for (const scope of OTHER_SCOPES) {
        const inContext = { scope, contextId: 'c', contextIsNew: false };
        assert.equal((await accept(store, inContext)).kind, 'unknown_context');
      }
    },
  },
  {
    title: '[S5] [S9] the key is checked before the context, and the context before the quota',
    async check({ store }) {
      const none = { limit: 0, windowMs: HOUR };
      await accepted(store, { retryKey: 'k' });
      const unknown = { contextId: 'nowhere', contextIsNew: false };
      assert.equal((await accept(store, { ...unknown, retryKey: 'k' }, NOW, none)).kind, 'repeated');
      assert.equal((await accept(store, unknown, NOW, none)).kind, 'unknown_context');
      assert.equal((await accept(store, {}, NOW, none)).kind, 'quota_exceeded');
    },
  },
  {
    title: '[S5] [S6] [S9] messages that arrive together are decided upon as if one after another',
    async check({ store }) {
      const quota = { limit: 4, windowMs: HOUR };
      const followUp = { contextId: 'c', contextIsNew: false };
      await accepted(store, { retryKey: 'old', contextId: 'old' });
      const expected = [
        [{}, 1, 'accepted'],
        [{ retryKey: 'k', contextId: 'c' }, 2, 'accepted'],
        [{ retryKey: 'k' }, 2, 'repeated'],
        [{ retryKey: 'k', fingerprint: 'other' }, 2, 'conflict'],
        [{ retryKey: 'old', fingerprint: 'other' }, 2, 'conflict'],
        [followUp, 3, 'accepted'],
        [{ contextId: 'nowhere', contextIsNew: false }, 3, 'unknown_context'],
        [{}, 4, 'quota_exceeded'],
        [{ retryKey: 'k' }, 4, 'repeated'],
        [{ scope: { ...SCOPE, accountId: 'bob' }, retryKey: 'k' }, 4, 'accepted'],
      ] as const;
      const outcomes = await Promise.all(
        expected.map(([change, later]) => accept(store, change, NOW + later, quota)),
      );
      same(
        outcomes.map(({ kind }) => kind),
        expected.map(([, , kind]) => kind),
      );
      same(outcomes[7], { kind: 'quota_exceeded', retryAfterMs: HOUR - 4 });
      for (const outcome of outcomes) {
        if (outcome.kind !== 'accepted' && outcome.kind !== 'repeated') continue;
        same(await store.find(outcome.task, outcome.task.id, NOW + 5), outcome.task);
        assert.equal((await store.history(outcome.task.id)).length, 1);
      }
    },
  },
  {
    title: '[W8] [B21] a message comes back as it was, whatever its keys are called',
    async check({ store }) {
      const strange = '{"__proto__":{"x":1},"constructor":{"prototype":1},"é":null,"n":1.0e2}';
      const metadata = JSON.parse(strange) as Record<string, unknown>;
      const parts = [{ text: 'a\u0000b' }, { text: 'e\u0301 \u2028 \ud83d\ude00' }];
      const message = { messageId: '__proto__', role: 'user' as const, parts, metadata };
      const task = await accepted(store, { message, retryKey: '__proto__' });
      const [back] = await store.history(task.id);
      assert.equal(JSON.stringify(back), JSON.stringify(message));
      assert.equal((await store.findByRetryKey(SCOPE, '__proto__', NOW))?.task.id, task.id);
      assert.equal(({} as Record<string, unknown>)['x'], undefined);
    },
  },
];

/** How messages are told apart, and retries recognized. */
export const RETRY_KEY_RULES: StoreRule[] = [
  {
    title: '[S5] [B67] of concurrent copies one is accepted, and the others get its task',
    async check({ store }) {
      const outcomes = await Promise.all(Array.from({ length: 50 }, () => accept(store, { retryKey: 'k' })));
      same(kindsOf(outcomes), ['accepted', ...Array<string>(49).fill('repeated')]);
      assert.equal(new Set(outcomes.map((o) => ('task' in o ? o.task.id : ''))).size, 1);
      assert.equal(await store.count(SCOPE, {}, NOW), 1);
    },
  },
  {
    title: '[S5] of concurrent messages with one key and other contents one is accepted',
    async check({ store }) {
      const contents = Array.from({ length: 20 }, (_, n) => `content-${n}`);
      const outcomes = await Promise.all(
        contents.map((fingerprint) => accept(store, { retryKey: 'k', fingerprint })),
      );
      same(kindsOf(outcomes), ['accepted', ...Array<string>(19).fill('conflict')]);
      const taken = outcomes.findIndex(({ kind }) => kind === 'accepted');
      assert.equal((await store.findByRetryKey(SCOPE, 'k', NOW))?.fingerprint, contents[taken]);
      assert.equal(await store.count(SCOPE, {}, NOW), 1);
    },
  },
  {
    title: '[S5] a message that is repeated gets its task as it is by now, and changes nothing',
    async check({ store }) {
      const { id } = await accepted(store, { retryKey: 'k' });
      await apply(store, report(id, 'completed', 1, { reply: 'Hi' }), NOW + 1);
      const task = await find(store, id);
      const outcome = await accept(store, { retryKey: 'k' }, NOW + 2);
      same(outcome, { kind: 'repeated', task });
      same(await find(store, id), task);
      assert.equal((await store.history(id)).length, 1);
    },
  },
  {
    title: '[S5] a known key with another fingerprint is a conflict and changes nothing',
    async check({ store }) {
      const task = await accepted(store, { retryKey: 'k' });
      const other = { retryKey: 'k', fingerprint: 'other', contextId: 'c' };
      assert.equal((await accept(store, other)).kind, 'conflict');
      same(await store.findByRetryKey(SCOPE, 'k', NOW), { task, fingerprint: 'same' });
      assert.equal((await store.history(task.id)).length, 1);
      const followUp = { contextId: 'c', contextIsNew: false };
      assert.equal((await accept(store, followUp)).kind, 'unknown_context');
    },
  },
  {
    title: '[B66] [H4] [S5] a key of one scope is free in another',
    async check({ store }) {
      const { id } = await accepted(store, { retryKey: 'k' });
      for (const scope of OTHER_SCOPES) {
        assert.equal(await store.findByRetryKey(scope, 'k', NOW), undefined);
        assert.equal((await accept(store, { scope, retryKey: 'k' })).kind, 'accepted');
      }
      assert.equal((await store.findByRetryKey(SCOPE, 'k', NOW))?.task.id, id);
    },
  },
  {
    title: '[S5] [W8] keys are compared to their last character, whatever it is',
    async check({ store }) {
      const strange = ['k\u0000', 'k\u0000a', 'k\u0000b', 'k"', "k'", 'k\\', 'é', 'e\u0301', '1', '1.0'];
      const keys = ['k', 'K', 'k ', ' k', 'k%', ...strange];
      const outcomes = await Promise.all(keys.map((retryKey) => accept(store, { retryKey })));
      same(
        outcomes.map(({ kind }) => kind),
        keys.map(() => 'accepted'),
      );
      const again = await Promise.all(keys.map((retryKey) => accept(store, { retryKey })));
      const ids = (found: typeof outcomes) => found.map((outcome) => 'task' in outcome && outcome.task.id);
      same(ids(again), ids(outcomes));
    },
  },
  {
    title: '[S5] a key leads to its task as it is by now, with the fingerprint of its message',
    async check({ store }) {
      const { id } = await accepted(store, { retryKey: 'k', fingerprint: 'print' });
      await apply(store, report(id, 'working', 1), NOW + 1);
      const task = await find(store, id);
      same(await store.findByRetryKey(SCOPE, 'k', NOW), { task, fingerprint: 'print' });
      assert.equal(await store.findByRetryKey(SCOPE, 'unknown', NOW), undefined);
    },
  },
];
