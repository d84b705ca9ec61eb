import assert from 'node:assert/strict';
import {
  DAY,
  NOW,
  OTHER_SCOPES,
  SCOPE,
  type StoreRule,
  accept,
  accepted,
  apply,
  listed,
  query,
  report,
  same,
} from './store-rule.rules.js';

/** What lists, counts and readers see, and when tasks are gone. */
export const READING_RULES: StoreRule[] = [
  {
    title:
      '[G3] [B99] lists go from the newest status to the oldest, ties by id, and pages neither repeat nor miss',
    async check(store) {
      const ids: string[] = [];
      for (let n = 0; n < 7; n += 1) ids.unshift((await accepted(store, {}, NOW + (n > 4 ? 1 : 0))).id);
      const at = { nowMs: NOW + 10 };
      same(await listed(store, at), ids);
      const walked: string[] = [];
      for (let page = await store.list(query({ ...at, limit: 2 })); page.length > 0;) {
        walked.push(...page.map((task) => task.id));
        const last = page.at(-1);
        page = await store.list(query({ ...at, limit: 2, ...(last && { after: last }) }));
      }
      same(walked, ids);
      await apply(store, report(ids[6] ?? '', 'working', 1), NOW + 5);
      same((await listed(store, at))[0], ids[6]);
    },
  },
  {
    title:
      '[G3] [B08] filters select by context, state and status time (inclusive), and counts agree with lists',
    async check(store) {
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
    title: '[G3] [B96] lists carry the messages and replies that were asked for, and no others',
    async check(store) {
      const { id } = await accepted(store);
      await apply(store, report(id, 'completed', 1, { reply: 'Hi' }));
      const [bare] = await store.list(query());
      same([bare?.reply, bare?.history], [undefined, []]);
      const [whole] = await store.list(query({ historyLength: 5, includeReply: true }));
      same([whole?.reply, whole?.history], ['Hi', await store.history(id)]);
      assert.equal(whole?.history.length, 1);
      same(await store.history(id, 0), []);
      assert.equal((await store.history(id, 1)).length, 1);
    },
  },
  {
    title:
      '[G2] [H4] tasks that are asked for together come each with its own messages, and to their owners alone',
    async check(store) {
      const [a, b] = [await accepted(store), await accepted(store)];
      await apply(store, report(b.id, 'input_required', 1, { statusText: 'Now?' }));
      await apply(store, report(b.id, 'input_required', 2, { statusText: 'Well?' }));
      const ask = (scope: typeof SCOPE, id: string, length?: number, nowMs = NOW) =>
        store.findWithHistory(scope, id, length, nowMs);
      const found = await Promise.all([
        ask(SCOPE, a.id),
        ask(SCOPE, b.id),
        ask(SCOPE, b.id, 1),
        ask(SCOPE, b.id, 0),
        ask(SCOPE, b.id, 100),
        ask(SCOPE, 'nothing'),
        ...OTHER_SCOPES.map((scope) => ask(scope, a.id)),
        ask(SCOPE, a.id, 1, a.expiresAtMs),
      ]);
      const texts = found.map((task) => task?.history.map(({ parts }) => parts[0]?.text));
      const [first, ...others] = [['Hello'], ['Hello', 'Well?'], ['Well?'], [], ['Hello', 'Well?']];
      same(texts, [first, ...others, undefined, undefined, undefined, undefined]);
      same(found[0], { ...a, history: await store.history(a.id) });
      const together = await Promise.all([store.history(b.id), store.history(a.id), store.history(b.id, 1)]);
      same(together, [found[1]?.history, found[0]?.history, found[2]?.history]);
    },
  },
  {
    title: '[G1] [G5] a check notes its time on an open task, and changes nothing of a terminal one',
    async check(store) {
      const task = await accepted(store);
      await apply(store, report(task.id, 'working', 1));
      await apply(store, report(task.id, 'working', 1), NOW + 1, true);
      same((await store.find(SCOPE, task.id, NOW))?.lastCheckedAtMs, NOW + 1);
      await apply(store, report(task.id, 'completed', 2), NOW + 2);
      const ended = await store.find(SCOPE, task.id, NOW);
      same((await apply(store, report(task.id, 'completed', 2), NOW + 3, true)).kind, 'ignored');
      same(await store.find(SCOPE, task.id, NOW), ended);
    },
  },
  {
    title: '[R5] open tasks of a computer come least recently checked first',
    async check(store) {
      const [a, b, c] = [await accepted(store), await accepted(store), await accepted(store)];
      await accepted(store, { computerId: 'computer-2' });
      await apply(store, report(a.id, 'working', 1), NOW + 2, true);
      await apply(store, report(b.id, 'working', 1), NOW + 1, true);
      const ids = async (limit: number) =>
        (await store.openTasks('computer-1', limit, NOW + 3)).map((task) => task.id);
      same(await ids(10), [c.id, b.id, a.id]);
      same(await ids(2), [c.id, b.id]);
      await apply(store, report(c.id, 'completed', 1));
      same(await ids(10), [b.id, a.id]);
    },
  },
  {
    title: '[K2] an expired task is absent for every read, and its key and quota are free',
    async check(store) {
      const task = await accepted(store, { retryKey: 'k', contextId: 'c' });
      const end = task.expiresAtMs;
      assert.ok(await store.find(SCOPE, task.id, end - 1));
      assert.equal(await store.count(SCOPE, {}, end - 1), 1);
      assert.equal(await store.find(SCOPE, task.id, end), undefined);
      assert.equal(await store.findByRetryKey(SCOPE, 'k', end), undefined);
      same(await listed(store, { nowMs: end }), []);
      for (const filter of [{}, { state: 'submitted' as const }, { contextId: 'c' }, { statusSinceMs: 0 }]) {
        assert.equal(await store.count(SCOPE, filter, end), 0, JSON.stringify(filter));
      }
      same(await store.openTasks('computer-1', 10, end), []);
      assert.equal((await apply(store, report(task.id, 'completed', 1), end, true)).kind, 'unknown');
      assert.equal(await store.recordCancelRequest(task.id, end), undefined);
      const again = await accept(store, { retryKey: 'k', fingerprint: 'other' }, end);
      assert.equal(again.kind, 'accepted');
    },
  },
  {
    title: '[K2] [B108] deleting takes what has expired, in portions, with everything that belongs to it',
    async check(store) {
      const old = [await accepted(store), await accepted(store), await accepted(store)];
      for (const { id } of old) await apply(store, report(id, 'completed', 1));
      const young = await accepted(store, {}, NOW + DAY);
      const end = NOW + 7 * DAY;
      const first = await store.deleteExpired(2, end);
      const second = await store.deleteExpired(2, end);
      const deleted = [...first, ...second].map((task) => task.taskId).sort();
      same([first.length, second.length], [2, 1]);
      same(deleted, old.map((task) => task.id).sort());
      assert.equal(first[0]?.computerId, 'computer-1');
      same(await store.history(old[0]?.id ?? ''), []);
      same(await store.deleteExpired(2, end), []);
      assert.equal(await store.count(SCOPE, {}, end), 1);
      assert.ok(await store.find(SCOPE, young.id, end));
    },
  },
  {
    title: '[K2] [B108] work that is open when it expires is ended, in portions, and only then deleted',
    async check(store) {
      const open = [await accepted(store), await accepted(store, { retryKey: 'k' }), await accepted(store)];
      const done = await accepted(store);
      await apply(store, report(done.id, 'completed', 1));
      const young = await accepted(store, {}, NOW + DAY);
      const end = NOW + 7 * DAY;
      same(await store.endExpired(10, 'late', end - 1), []);
      // Its key is free at once, and the work that had it is not forgotten for that.
      assert.equal((await accept(store, { retryKey: 'k', contextId: 'other' }, end)).kind, 'accepted');
      same(
        (await store.deleteExpired(10, end)).map((task) => task.taskId),
        [done.id],
      );
      const first = await store.endExpired(2, 'late', end);
      const second = await store.endExpired(2, 'late', end);
      same([first.length, second.length], [2, 1]);
      same(ids([...first, ...second]), ids(open));
      for (const { state, statusText, statusAtMs } of [...first, ...second]) {
        same([state, statusText, statusAtMs], ['failed', 'late', end]);
      }
      same(await store.endExpired(2, 'late', end), []);
      assert.equal(await store.find(SCOPE, open[0]?.id ?? '', end), undefined);
      assert.equal((await store.find(SCOPE, young.id, end))?.state, 'submitted');
      assert.equal((await store.deleteExpired(10, end)).length, 3);
    },
  },
];

function ids(tasks: { id: string }[]): string[] {
  return tasks.map(({ id }) => id).sort();
}
