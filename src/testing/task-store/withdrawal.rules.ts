import assert from 'node:assert/strict';
import { TASK_STATES } from '../../a2a/index.js';
import {
  NOW,
  SCOPE,
  type StoreRule,
  accept,
  accepted,
  apply,
  find,
  listed,
  report,
  same,
} from './store-rule.rules.js';

/** How tasks are taken back. */
export const WITHDRAWAL_RULES: StoreRule[] = [
  {
    title: '[S8] withdrawing leaves nothing: no task, message, key or context',
    async check({ store }) {
      const task = await accepted(store, { retryKey: 'k', contextId: 'c' });
      assert.equal(await store.withdraw(task.id), true);
      assert.equal(await find(store, task.id), undefined);
      same(await listed(store), []);
      assert.equal(await store.count(SCOPE, {}, NOW), 0);
      same(await store.history(task.id), []);
      same(await store.openTasks('computer-1', 10, NOW), []);
      assert.equal(await store.findByRetryKey(SCOPE, 'k', NOW), undefined);
      const followUp = { contextId: 'c', contextIsNew: false };
      assert.equal((await accept(store, followUp)).kind, 'unknown_context');
      assert.equal((await accept(store, { retryKey: 'k', fingerprint: 'other' })).kind, 'accepted');
    },
  },
  {
    title: '[S8] a task of which something was heard is not withdrawn',
    async check({ store }) {
      for (const state of TASK_STATES) {
        const { id } = await accepted(store);
        await apply(store, report(id, state, 1));
        const before = await find(store, id);
        assert.equal(await store.withdraw(id), false, state);
        same(await find(store, id), before, state);
      }
      const { id } = await accepted(store);
      await store.failUnknown('computer-1', { taskId: id, revision: 0 }, 'gone', NOW);
      assert.equal(await store.withdraw(id), false);
      assert.equal((await find(store, id))?.state, 'failed');
    },
  },
  {
    title: '[S8] withdrawing happens once, and to one task',
    async check({ store }) {
      const [task, other] = [await accepted(store, { contextId: 'c' }), await accepted(store)];
      const followUp = await accepted(store, { contextId: 'c', contextIsNew: false });
      const done = await Promise.all(Array.from({ length: 5 }, () => store.withdraw(task.id)));
      same(done.sort(), [false, false, false, false, true]);
      assert.equal(await store.withdraw('nothing'), false);
      same(await find(store, other.id), other);
      same(await find(store, followUp.id), followUp);
      assert.equal((await store.history(followUp.id)).length, 1);
    },
  },
  {
    title: '[R4] [S8] a task is withdrawn or reported, whatever comes at once',
    async check({ store }) {
      for (let round = 0; round < 10; round += 1) {
        const { id } = await accepted(store);
        const working = report(id, 'working', 1);
        const [withdrawn, outcome] =
          round % 2 === 0
            ? await Promise.all([store.withdraw(id), apply(store, working)])
            : ((await Promise.all([apply(store, working), store.withdraw(id)])).reverse() as [
                boolean,
                { kind: string },
              ]);
        assert.equal(outcome.kind, withdrawn ? 'unknown' : 'applied');
        assert.equal((await find(store, id))?.state, withdrawn ? undefined : 'working');
      }
    },
  },
];
