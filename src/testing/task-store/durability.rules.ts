import assert from 'node:assert/strict';
import {
  END,
  HOUR,
  NOW,
  SCOPE,
  type StoreRule,
  accept,
  accepted,
  answer,
  apply,
  asking,
  find,
  listed,
  report,
  same,
  texts,
} from './store-rule.rules.js';

/** What is there after a restart. A sudden end is for tests of your own: the suite ends the store in order. */
export const DURABILITY_RULES: StoreRule[] = [
  {
    title: '[K1] [K4] what was accepted is there after a restart: task, message, key and context',
    async check({ store, reopen }) {
      const task = await accepted(store, { retryKey: 'k', contextId: 'c' });
      const history = await store.history(task.id);
      const next = await reopen();
      same(await find(next, task.id), task);
      same(await next.history(task.id), history);
      same(await listed(next), [task.id]);
      assert.equal(await next.count(SCOPE, {}, NOW), 1);
      same(await next.findByRetryKey(SCOPE, 'k', NOW), { task, fingerprint: 'same' });
      same(await accept(next, { retryKey: 'k' }), { kind: 'repeated', task });
      assert.equal((await accept(next, { retryKey: 'k', fingerprint: 'other' })).kind, 'conflict');
      assert.equal((await accept(next, { contextId: 'c', contextIsNew: false })).kind, 'accepted');
    },
  },
  {
    title: '[K4] [S9] the quota survives a restart',
    async check({ store, reopen }) {
      const quota = { limit: 3, windowMs: HOUR };
      await accepted(store);
      await answer(store, await asking(store));
      const next = await reopen();
      const refused = await accept(next, {}, NOW + 1, quota);
      same(refused, { kind: 'quota_exceeded', retryAfterMs: HOUR - 1 });
    },
  },
  {
    title: '[K4] [R4] reports, checks and requests to cancel are there after a restart',
    async check({ store, reopen }) {
      const [open, done] = [await accepted(store), await accepted(store)];
      await apply(store, report(open.id, 'working', 4, { statusText: 'soon' }), NOW + 1, true);
      await store.recordCancelRequest(open.id, NOW + 2);
      await apply(store, report(done.id, 'completed', 2, { reply: 'Hi', replyTruncated: true }));
      const before = [await find(store, open.id), await find(store, done.id)];
      const next = await reopen();
      same([await find(next, open.id), await find(next, done.id)], before);
      assert.equal((await apply(next, report(open.id, 'failed', 4))).kind, 'ignored');
      assert.equal((await apply(next, report(done.id, 'failed', 9))).kind, 'ignored');
    },
  },
  {
    title: '[K4] [P6] questions and answers are there after a restart, an answer on its way as well',
    async check({ store, reopen }) {
      const id = await asking(store);
      const given = await answer(store, id, { retryKey: 'k' });
      assert.ok(given.kind === 'accepted');
      const next = await reopen();
      same(await find(next, id), given.task);
      same((await next.pendingAnswer(id))?.parts, [{ text: 'Yes' }]);
      same(await texts(next, id), ['user: Hello', 'agent: Send it?', 'user: Yes']);
      assert.equal((await answer(next, id, { retryKey: 'k' })).kind, 'repeated');
      assert.equal(await next.withdrawAnswer(given.task), true);
    },
  },
  {
    title: '[K4] [S8] what was withdrawn or deleted stays gone after a restart',
    async check({ store, reopen }) {
      const [taken, old] = [await accepted(store, { retryKey: 'k' }), await accepted(store)];
      await store.withdraw(taken.id);
      await apply(store, report(old.id, 'completed', 1));
      await store.deleteExpired(10, END);
      const next = await reopen();
      assert.equal(await find(next, taken.id), undefined);
      assert.equal(await find(next, old.id), undefined);
      same(await next.history(taken.id), []);
      assert.equal(await next.findByRetryKey(SCOPE, 'k', NOW), undefined);
      assert.equal(await next.count(SCOPE, {}, NOW), 0);
    },
  },
];
