import assert from 'node:assert/strict';
import type { ListQuery, TaskStore } from '../../tasks/index.js';
import {
  END,
  NOW,
  SCOPE,
  type StoreRule,
  accepted,
  answer,
  apply,
  asking,
  find,
  idsOf,
  listed,
  query,
  report,
  same,
} from './store-rule.rules.js';

/** Walks through a list in pages of two. @param between done after every page */
async function walk(store: TaskStore, change: Partial<ListQuery>, between = async () => {}) {
  const walked: string[] = [];
  let page = await store.list(query({ ...change, limit: 2 }));
  while (page.length > 0 && walked.length < 50) {
    walked.push(...idsOf(page));
    const { statusAtMs = 0, id = '' } = page.at(-1) ?? {};
    await between();
    page = await store.list(query({ ...change, limit: 2, after: { statusAtMs, id } }));
  }
  return walked;
}

/** @returns ids, newest first; the five oldest have one status time */
async function seven(store: TaskStore): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < 7; n += 1) ids.unshift((await accepted(store, {}, NOW + (n > 4 ? 1 : 0))).id);
  return ids;
}

const LATER = { nowMs: NOW + 10 };

/** What lists and counts see. */
export const LIST_RULES: StoreRule[] = [
  {
    title: '[G3] lists go from the newest status to the oldest, ties by id, at most as many as asked for',
    async check({ store }) {
      const ids = await seven(store);
      same(await listed(store, LATER), ids);
      for (const limit of [1, 3, 7, 8]) same(await listed(store, { ...LATER, limit }), ids.slice(0, limit));
      await apply(store, report(ids[6] ?? '', 'working', 1), NOW + 5);
      same((await listed(store, LATER))[0], ids[6]);
    },
  },
  {
    title: '[G3] [G4] [B99] pages neither repeat nor miss a task',
    async check({ store }) {
      const ids = await seven(store);
      same(await walk(store, LATER), ids);
    },
  },
  {
    title: '[G4] pages neither repeat nor miss a task while others are added and go',
    async check({ store }) {
      const ids = await seven(store);
      const walked = await walk(store, LATER, async () => {
        await accepted(store, {}, NOW + 2);
        await store.withdraw((await accepted(store, {}, NOW)).id);
      });
      same(walked, ids);
    },
  },
  {
    title: '[G4] a list goes on behind a place, also when its task is gone',
    async check({ store }) {
      const ids = await seven(store);
      const middle = ids[4] ?? '';
      assert.equal(await store.withdraw(middle), true);
      const after = { statusAtMs: NOW, id: middle };
      same(await listed(store, { ...LATER, after }), ids.slice(5));
      same(
        await listed(store, { ...LATER, after: { statusAtMs: NOW + 1, id: '' } }),
        ids.filter((id) => id !== middle).slice(2),
      );
    },
  },
  {
    title:
      '[G3] [B08] filters select by context, state and status time (inclusive), and counts agree with lists',
    async check({ store }) {
      const first = await accepted(store, { contextId: 'c' });
      const second = await accepted(store, { contextId: 'c', contextIsNew: false }, NOW + 123);
      const third = await accepted(store);
      await apply(store, report(third.id, 'completed', 1), NOW + 124);
      const now = NOW + 1000;
      const cases = [
        [{}, [third.id, second.id, first.id]],
        [{ contextId: 'c' }, [second.id, first.id]],
        [{ state: 'completed' }, [third.id]],
        [{ state: 'submitted' }, [second.id, first.id]],
        [{ state: 'working' }, []],
        [{ statusSinceMs: NOW + 123 }, [third.id, second.id]],
        [{ statusSinceMs: NOW + 125 }, []],
        [{ contextId: 'c', state: 'submitted', statusSinceMs: NOW + 1 }, [second.id]],
        [{ contextId: 'nowhere' }, []],
      ] as const;
      for (const [filter, expected] of cases) {
        same(await listed(store, { filter, nowMs: now }), expected, JSON.stringify(filter));
        assert.equal(await store.count(SCOPE, filter, now), expected.length, JSON.stringify(filter));
      }
    },
  },
  {
    title: '[G3] [G4] pages of a filtered list keep to the filter',
    async check({ store }) {
      const ids = await seven(store);
      for (const id of [ids[0], ids[3], ids[5]]) await apply(store, report(id ?? '', 'working', 1), NOW);
      const left = [ids[1], ids[2], ids[4], ids[6]];
      same(await walk(store, { ...LATER, filter: { state: 'submitted' } }), left);
      same(await walk(store, { ...LATER, filter: { statusSinceMs: NOW + 1 } }), ids.slice(0, 2));
    },
  },
  {
    title: '[G3] counts follow every change of a task',
    async check({ store }) {
      const counts = async (nowMs = NOW) =>
        Promise.all(
          ([undefined, 'submitted', 'working', 'completed', 'failed'] as const).map((state) =>
            store.count(SCOPE, state === undefined ? {} : { state }, nowMs),
          ),
        );
      const [a, b, c] = [await accepted(store), await accepted(store), await accepted(store)];
      same(await counts(), [3, 3, 0, 0, 0]);
      await apply(store, report(a.id, 'working', 1));
      await store.withdraw(b.id);
      same(await counts(), [2, 1, 1, 0, 0]);
      await apply(store, report(a.id, 'completed', 2));
      await store.failUnknown('computer-1', { taskId: c.id, revision: 0 }, 'gone', NOW);
      same(await counts(), [2, 0, 0, 1, 1]);
      await accepted(store, {}, NOW + 1);
      await store.deleteExpired(10, END);
      same(await counts(END), [1, 1, 0, 0, 0]);
    },
  },
  {
    title: '[G3] [B96] lists carry the messages and replies that were asked for, and no others',
    async check({ store }) {
      const id = await asking(store);
      await answer(store, id);
      await apply(store, report(id, 'completed', 2, { reply: 'Hi' }));
      const all = await store.history(id);
      const { reply, ...task } = (await find(store, id)) ?? {};
      assert.equal(reply, 'Hi');
      same(await store.list(query()), [{ ...task, history: [] }]);
      same(await store.list(query({ historyLength: 0 })), [{ ...task, history: [] }]);
      for (const historyLength of [1, 2, 3, 5]) {
        const history = all.slice(-historyLength);
        const asked = query({ historyLength, includeReply: true });
        same(await store.list(asked), [{ ...task, reply, history }]);
      }
    },
  },
];
