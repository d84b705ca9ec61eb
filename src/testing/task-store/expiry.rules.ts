import assert from 'node:assert/strict';
import {
  DAY,
  END,
  NOW,
  SCOPE,
  type StoreRule,
  accept,
  accepted,
  answer,
  apply,
  asking,
  find,
  idsOf,
  listed,
  report,
  same,
} from './store-rule.rules.js';

/** When tasks are gone, and what goes with them. */
export const EXPIRY_RULES: StoreRule[] = [
  {
    title: '[K2] an expired task is absent for every read',
    async check({ store }) {
      const { id } = await accepted(store, { retryKey: 'k', contextId: 'c' });
      assert.ok(await find(store, id, END - 1));
      assert.equal(await store.count(SCOPE, {}, END - 1), 1);
      same(await listed(store, { nowMs: END - 1 }), [id]);
      for (const nowMs of [END, END + DAY]) {
        assert.equal(await find(store, id, nowMs), undefined);
        assert.equal(await store.findWithHistory(SCOPE, id, undefined, nowMs), undefined);
        assert.equal(await store.findByRetryKey(SCOPE, 'k', nowMs), undefined);
        same(await listed(store, { nowMs }), []);
        same(await store.openTasks('computer-1', 10, nowMs), []);
        for (const filter of [
          {},
          { state: 'submitted' as const },
          { contextId: 'c' },
          { statusSinceMs: 0 },
        ]) {
          assert.equal(await store.count(SCOPE, filter, nowMs), 0, JSON.stringify(filter));
        }
      }
    },
  },
  {
    title: '[K2] an expired task is absent for what would change it',
    async check({ store }) {
      const { id } = await accepted(store);
      const before = await find(store, id);
      same(await apply(store, report(id, 'completed', 1), END, true), { kind: 'unknown' });
      const failed = await store.failUnknown('computer-1', { taskId: id, revision: 0 }, 'gone', END);
      same(failed, { kind: 'unknown' });
      assert.equal(await store.recordCancelRequest(id, END), undefined);
      same(await find(store, id), before);
    },
  },
  {
    title: '[K2] [S5] the keys of an expired task are free, those of its answers as well',
    async check({ store }) {
      const id = await asking(store, { retryKey: 'first' });
      await answer(store, id, { retryKey: 'k' });
      for (const retryKey of ['first', 'k']) {
        assert.equal(await store.findByRetryKey(SCOPE, retryKey, END), undefined);
        const again = await accept(store, { retryKey, fingerprint: 'new' }, END);
        assert.ok(again.kind === 'accepted');
        const found = await store.findByRetryKey(SCOPE, retryKey, END);
        same(found, { task: again.task, fingerprint: 'new' });
      }
      assert.equal((await find(store, id))?.state, 'input_required');
    },
  },
  {
    title: '[K2] [P6] an answer may be sent under the key of an expired message, or of an expired answer',
    async check({ store }) {
      await accepted(store, { retryKey: 'first' });
      await answer(store, await asking(store), { retryKey: 'answer' });
      for (const retryKey of ['first', 'answer']) {
        const { id } = await accepted(store, {}, NOW + DAY);
        await apply(store, report(id, 'input_required', 1, { statusText: 'Now?' }), NOW + DAY);
        const given = await answer(store, id, { retryKey }, { nowMs: END }).catch((error: unknown) => error);
        assert.equal((given as { kind?: string }).kind, 'accepted', retryKey);
        const found = await store.findByRetryKey(SCOPE, retryKey, END);
        same([found?.task.id, found?.fingerprint], [id, 'answer']);
      }
    },
  },
  {
    title: '[K2] [B108] deleting takes what has expired, in portions, with everything that belongs to it',
    async check({ store }) {
      const old = [await accepted(store), await accepted(store, { computerId: 'computer-2' })];
      const asked = await asking(store);
      await answer(store, asked, { retryKey: 'k' });
      await apply(store, report(old[0]?.id ?? '', 'completed', 1));
      await store.endExpired(10, 'late', END);
      const young = await accepted(store, {}, NOW + DAY);
      same(await store.deleteExpired(10, END - 1), []);
      const first = await store.deleteExpired(2, END);
      const second = await store.deleteExpired(2, END);
      same([first.length, second.length], [2, 1]);
      const deleted = [...first, ...second].sort((a, b) => (a.taskId < b.taskId ? -1 : 1));
      same(deleted, [
        { taskId: old[0]?.id, computerId: 'computer-1' },
        { taskId: old[1]?.id, computerId: 'computer-2' },
        { taskId: asked, computerId: 'computer-1' },
      ]);
      for (const { taskId } of deleted) {
        same(await store.history(taskId), []);
        assert.equal(await find(store, taskId), undefined);
      }
      assert.equal(await store.findByRetryKey(SCOPE, 'k', NOW), undefined);
      same(await store.deleteExpired(2, END), []);
      assert.equal(await store.count(SCOPE, {}, END), 1);
      same(await find(store, young.id, END), young);
      assert.equal((await store.history(young.id)).length, 1);
    },
  },
  {
    title: '[K2] [B108] work that is open when it expires is not deleted, also when its key is used anew',
    async check({ store }) {
      const open = [await accepted(store, { retryKey: 'k' }), await accepted(store)];
      await apply(store, report(open[1]?.id ?? '', 'working', 1));
      const asked = await asking(store);
      const done = await accepted(store);
      await apply(store, report(done.id, 'completed', 1));
      assert.equal((await accept(store, { retryKey: 'k' }, END)).kind, 'accepted');
      const deleted = await store.deleteExpired(10, END);
      same(deleted, [{ taskId: done.id, computerId: 'computer-1' }]);
      const ended = await store.endExpired(10, 'late', END);
      same(idsOf(ended).sort(), [...idsOf(open), asked].sort());
      assert.equal((await store.deleteExpired(10, END)).length, 3);
    },
  },
  {
    title: '[K2] [B108] work that is open when it expires is ended, oldest first, in portions',
    async check({ store }) {
      const [b, a, c] = [
        await accepted(store, {}, NOW - DAY),
        await accepted(store, {}, NOW - 2 * DAY),
        await accepted(store, {}, NOW),
      ];
      const done = await accepted(store);
      await apply(store, report(done.id, 'completed', 1));
      const young = await accepted(store, {}, NOW + DAY);
      same(await store.endExpired(10, 'late', NOW + 5 * DAY - 1), []);
      const ended = [];
      for (const expected of [a, b, c]) {
        const portion = await store.endExpired(1, 'late', END);
        same(idsOf(portion), [expected.id]);
        ended.push(...portion);
      }
      same(await store.endExpired(10, 'late', END), []);
      for (const { state, statusText, statusAtMs } of ended) {
        same([state, statusText, statusAtMs], ['failed', 'late', END]);
      }
      assert.equal((await find(store, young.id, END))?.state, 'submitted');
      assert.equal((await find(store, done.id))?.state, 'completed');
    },
  },
  {
    title: '[K2] what was ended stays absent, and its end moves no time backwards',
    async check({ store }) {
      const { id } = await accepted(store);
      await apply(store, report(id, 'working', 1), END - 1);
      const [ended] = await store.endExpired(10, 'late', END);
      assert.equal(ended?.state, 'failed');
      assert.equal(await find(store, id, END), undefined);
      same(await listed(store, { nowMs: END }), []);
      same(await apply(store, report(id, 'completed', 2), END), { kind: 'unknown' });
      const odd = await store.accept(
        {
          ...{ id: 'odd', scope: SCOPE, computerId: 'computer-1', contextId: 'odd', contextIsNew: true },
          ...{ retryKey: 'odd', fingerprint: 'odd', interactive: false },
          message: { messageId: 'odd', role: 'user', parts: [{ text: 'Hello' }] },
        },
        { limit: 100, windowMs: DAY },
        { nowMs: NOW + DAY, expiresAtMs: NOW },
      );
      assert.equal(odd.kind, 'accepted');
      const [late] = await store.endExpired(10, 'late', NOW);
      same([late?.id, late?.statusAtMs], ['odd', NOW + DAY]);
    },
  },
];
