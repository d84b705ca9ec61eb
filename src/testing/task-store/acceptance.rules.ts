import assert from 'node:assert/strict';
import {
  DAY,
  HOUR,
  NOW,
  OTHER_SCOPES,
  SCOPE,
  type StoreRule,
  accept,
  accepted,
  apply,
  listed,
  report,
  same,
} from './store-rule.rules.js';

/** How tasks are taken and withdrawn. */
export const ACCEPTANCE_RULES: StoreRule[] = [
  {
    title: '[S5] [B67] of concurrent copies one is accepted, and the others get its task',
    async check(store) {
      const outcomes = await Promise.all(Array.from({ length: 50 }, () => accept(store, { retryKey: 'k' })));
      const kinds = outcomes.map((outcome) => outcome.kind).sort();
      same(kinds, ['accepted', ...Array<string>(49).fill('repeated')]);
      assert.equal(new Set(outcomes.map((o) => ('task' in o ? o.task.id : ''))).size, 1);
      assert.equal(await store.count(SCOPE, {}, NOW), 1);
    },
  },
  {
    title: '[S5] a known key with another fingerprint is a conflict and changes nothing',
    async check(store) {
      const task = await accepted(store, { retryKey: 'k' });
      assert.equal((await accept(store, { retryKey: 'k', fingerprint: 'other' })).kind, 'conflict');
      same((await store.findByRetryKey(SCOPE, 'k', NOW))?.task, task);
    },
  },
  {
    title: '[B66] [H4] a key, a task and a context of one scope mean nothing in another',
    async check(store) {
      const task = await accepted(store, { retryKey: 'k', contextId: 'c' });
      for (const scope of OTHER_SCOPES) {
        assert.equal(await store.find(scope, task.id, NOW), undefined);
        assert.equal(await store.findByRetryKey(scope, 'k', NOW), undefined);
        same(await listed(store, { scope }), []);
        assert.equal(await store.count(scope, {}, NOW), 0);
        const inContext = { scope, contextId: 'c', contextIsNew: false };
        assert.equal((await accept(store, inContext)).kind, 'unknown_context');
        assert.equal((await accept(store, { scope, retryKey: 'k' })).kind, 'accepted');
      }
    },
  },
  {
    title: '[S6] a context is known while one of its tasks is',
    async check(store) {
      const followUp = { contextId: 'c', contextIsNew: false };
      assert.equal((await accept(store, followUp)).kind, 'unknown_context');
      await accepted(store, { contextId: 'c' });
      assert.equal((await accept(store, followUp, NOW + 6 * DAY)).kind, 'accepted');
      assert.equal((await accept(store, followUp, NOW + 12 * DAY)).kind, 'accepted');
      assert.equal((await accept(store, followUp, NOW + 19 * DAY)).kind, 'unknown_context');
    },
  },
  {
    title: '[S9] [B63] the quota is exact under concurrency, over all destinations, for one account',
    async check(store) {
      const quota = { limit: 20, windowMs: HOUR };
      const scopes = [SCOPE, { ...SCOPE, agentId: 'lab' }];
      const outcomes = await Promise.all(
        Array.from({ length: 30 }, (_, n) => accept(store, { scope: scopes[n % 2] ?? SCOPE }, NOW, quota)),
      );
      assert.equal(outcomes.filter((outcome) => outcome.kind === 'accepted').length, 20);
      same(
        outcomes.find((outcome) => outcome.kind !== 'accepted'),
        { kind: 'quota_exceeded', retryAfterMs: HOUR },
      );
      const bob = { scope: { ...SCOPE, accountId: 'bob' } };
      assert.equal((await accept(store, bob, NOW, quota)).kind, 'accepted');
      assert.equal((await accept(store, {}, NOW + HOUR, quota)).kind, 'accepted');
    },
  },
  {
    title: '[S9] the quota frees one message at a time and says when',
    async check(store) {
      const quota = { limit: 2, windowMs: HOUR };
      await accept(store, {}, NOW, quota);
      await accept(store, {}, NOW + 1000, quota);
      const refused = await accept(store, {}, NOW + 2000, quota);
      same(refused, { kind: 'quota_exceeded', retryAfterMs: HOUR - 2000 });
      assert.equal((await accept(store, {}, NOW + HOUR, quota)).kind, 'accepted');
      assert.equal((await accept(store, {}, NOW + HOUR, quota)).kind, 'quota_exceeded');
    },
  },
  {
    title: '[S9] a clock that is set back does not open the quota',
    async check(store) {
      const quota = { limit: 1, windowMs: HOUR };
      await accept(store, {}, NOW, quota);
      assert.equal((await accept(store, {}, NOW - 10 * HOUR, quota)).kind, 'quota_exceeded');
    },
  },
  {
    title: '[S5] [S9] the key is checked before the context, and the context before the quota',
    async check(store) {
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
    async check(store) {
      const quota = { limit: 4, windowMs: HOUR };
      const followUp = { contextId: 'c', contextIsNew: false };
      await accepted(store, { retryKey: 'old', contextId: 'old' });
      const outcomes = await Promise.all([
        accept(store, {}, NOW + 1, quota),
        accept(store, { retryKey: 'k', contextId: 'c' }, NOW + 2, quota),
        accept(store, { retryKey: 'k' }, NOW + 2, quota),
        accept(store, { retryKey: 'k', fingerprint: 'other' }, NOW + 2, quota),
        accept(store, { retryKey: 'old', fingerprint: 'other' }, NOW + 2, quota),
        accept(store, followUp, NOW + 3, quota),
        accept(store, { contextId: 'nowhere', contextIsNew: false }, NOW + 3, quota),
        accept(store, {}, NOW + 4, quota),
        accept(store, { retryKey: 'k' }, NOW + 4, quota),
        accept(store, { scope: { ...SCOPE, accountId: 'bob' }, retryKey: 'k' }, NOW + 4, quota),
      ]);
      same(
        outcomes.map(({ kind }) => kind),
        [
          'accepted',
          'accepted',
          'repeated',
          'conflict',
          'conflict',
          'accepted',
          'unknown_context',
          'quota_exceeded',
          'repeated',
          'accepted',
        ],
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
    title: '[S5] [W8] keys and names are compared to their last character, whatever it is',
    async check(store) {
      const keys = [
        'k',
        'k\u0000',
        'k\u0000a',
        'k\u0000b',
        'k"',
        "k'",
        'k\\',
        'K',
        'k ',
        'é',
        'e\u0301',
        '1',
        '1.0',
      ];
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
    title: '[W8] [B21] a message comes back as it was, whatever its keys are called',
    async check(store) {
      const metadata = JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":1},"é":null}') as Record<
        string,
        unknown
      >;
      const message = {
        messageId: '__proto__',
        role: 'user' as const,
        parts: [{ text: 'a\u0000b' }],
        metadata,
      };
      const task = await accepted(store, { message, retryKey: '__proto__' });
      const [back] = await store.history(task.id);
      assert.equal(JSON.stringify(back), JSON.stringify(message));
      assert.equal((await store.findByRetryKey(SCOPE, '__proto__', NOW))?.task.id, task.id);
      assert.equal(({} as Record<string, unknown>)['x'], undefined);
    },
  },
  {
    title: '[S8] withdrawing leaves nothing, and only a task that was never heard of can be withdrawn',
    async check(store) {
      const quota = { limit: 1, windowMs: HOUR };
      const task = await accepted(store, { retryKey: 'k' });
      assert.equal(await store.withdraw(task.id), true);
      assert.equal(await store.withdraw(task.id), false);
      assert.equal(await store.find(SCOPE, task.id, NOW), undefined);
      same(await store.history(task.id), []);
      const again = await accept(store, { retryKey: 'k' }, NOW, quota);
      assert.ok(again.kind === 'accepted');
      await apply(store, report(again.task.id, 'submitted', 1));
      assert.equal(await store.withdraw(again.task.id), false);
    },
  },
];
