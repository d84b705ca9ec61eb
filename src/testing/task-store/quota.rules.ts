import assert from 'node:assert/strict';
import {
  HOUR,
  NOW,
  SCOPE,
  type StoreRule,
  accept,
  accepted,
  answer,
  apply,
  asking,
  report,
  same,
} from './store-rule.rules.js';

const ofLimit = (limit: number) => ({ limit, windowMs: HOUR });

/** How messages are counted. */
export const QUOTA_RULES: StoreRule[] = [
  {
    title: '[S9] [B63] the quota is exact under concurrency, over all destinations',
    async check({ store }) {
      const scopes = [SCOPE, { ...SCOPE, agentId: 'lab' }];
      const outcomes = await Promise.all(
        Array.from({ length: 30 }, (_, n) =>
          accept(store, { scope: scopes[n % 2] ?? SCOPE }, NOW, ofLimit(20)),
        ),
      );
      assert.equal(outcomes.filter((outcome) => outcome.kind === 'accepted').length, 20);
      const refused = outcomes.find((outcome) => outcome.kind !== 'accepted');
      same(refused, { kind: 'quota_exceeded', retryAfterMs: HOUR });
      assert.equal((await accept(store, {}, NOW + HOUR, ofLimit(20))).kind, 'accepted');
    },
  },
  {
    title: '[S9] an account that used up its messages stands in the way of no other',
    async check({ store }) {
      await accepted(store);
      assert.equal((await accept(store, {}, NOW, ofLimit(1))).kind, 'quota_exceeded');
      const bob = { scope: { ...SCOPE, accountId: 'bob' } };
      assert.equal((await accept(store, bob, NOW, ofLimit(1))).kind, 'accepted');
    },
  },
  {
    title: '[S9] the quota frees one message at a time, and says when',
    async check({ store }) {
      await accept(store, {}, NOW);
      await accept(store, {}, NOW + 1000);
      const refused = await accept(store, {}, NOW + 2000, ofLimit(2));
      same(refused, { kind: 'quota_exceeded', retryAfterMs: HOUR - 2000 });
      assert.equal((await accept(store, {}, NOW + HOUR - 1, ofLimit(2))).kind, 'quota_exceeded');
      assert.equal((await accept(store, {}, NOW + HOUR, ofLimit(2))).kind, 'accepted');
      assert.equal((await accept(store, {}, NOW + HOUR, ofLimit(2))).kind, 'quota_exceeded');
    },
  },
  {
    title: '[S9] a clock that is set back does not open the quota',
    async check({ store }) {
      await accept(store, {}, NOW);
      assert.equal((await accept(store, {}, NOW - 10 * HOUR, ofLimit(1))).kind, 'quota_exceeded');
    },
  },
  {
    title: '[S9] the limit that comes with a message decides about it, and 0 is none at all',
    async check({ store }) {
      assert.equal((await accept(store, {}, NOW, ofLimit(0))).kind, 'quota_exceeded');
      for (const limit of [1, 2, 3]) {
        assert.equal((await accept(store, {}, NOW, ofLimit(limit))).kind, 'accepted');
        assert.equal((await accept(store, {}, NOW, ofLimit(limit))).kind, 'quota_exceeded');
      }
      const short = { limit: 1, windowMs: 1000 };
      assert.equal((await accept(store, {}, NOW + 1000, short)).kind, 'accepted');
    },
  },
  {
    title: '[S9] a message that is refused leaves nothing, and may be sent again under its key',
    async check({ store }) {
      const refused = { retryKey: 'k', contextId: 'c' };
      assert.equal((await accept(store, refused, NOW, ofLimit(0))).kind, 'quota_exceeded');
      assert.equal(await store.findByRetryKey(SCOPE, 'k', NOW), undefined);
      assert.equal(await store.count(SCOPE, {}, NOW), 0);
      const followUp = { contextId: 'c', contextIsNew: false };
      assert.equal((await accept(store, followUp)).kind, 'unknown_context');
      assert.equal((await accept(store, refused, NOW, ofLimit(1))).kind, 'accepted');
    },
  },
  {
    title: '[S5] [S9] only what is accepted counts: retries, conflicts and refusals are free',
    async check({ store }) {
      await accepted(store, { retryKey: 'k' });
      const unknown = { contextId: 'nowhere', contextIsNew: false };
      for (const change of [{ retryKey: 'k' }, { retryKey: 'k', fingerprint: 'other' }, unknown]) {
        await accept(store, change, NOW, ofLimit(2));
      }
      await accept(store, {}, NOW, ofLimit(1));
      assert.equal((await accept(store, {}, NOW, ofLimit(2))).kind, 'accepted');
      assert.equal((await accept(store, {}, NOW, ofLimit(2))).kind, 'quota_exceeded');
    },
  },
  {
    title: '[S8] [S9] what was withdrawn is not counted',
    async check({ store }) {
      const { id } = await accepted(store);
      await store.withdraw(id);
      assert.equal((await accept(store, {}, NOW, ofLimit(1))).kind, 'accepted');
      const task = await asking(store);
      const given = await answer(store, task, {}, { quota: ofLimit(3) });
      assert.ok(given.kind === 'accepted');
      await store.withdrawAnswer(given.task);
      assert.equal((await accept(store, {}, NOW, ofLimit(3))).kind, 'accepted');
    },
  },
  {
    title: '[S9] [P7] answers count as messages',
    async check({ store }) {
      const id = await asking(store);
      const quota = ofLimit(2);
      assert.equal((await answer(store, id, {}, { quota, nowMs: NOW + 1 })).kind, 'accepted');
      await apply(store, report(id, 'input_required', 3, { statusText: 'Now?' }));
      assert.equal((await accept(store, {}, NOW + 2, quota)).kind, 'quota_exceeded');
      const refused = await answer(store, id, {}, { quota, nowMs: NOW + 2 });
      same(refused, { kind: 'quota_exceeded', retryAfterMs: HOUR - 2 });
      assert.equal((await answer(store, id, {}, { quota, nowMs: NOW + HOUR })).kind, 'accepted');
    },
  },
];
