import assert from 'node:assert/strict';
import {
  END,
  NOW,
  OTHER_SCOPES,
  SCOPE,
  type StoreRule,
  accepted,
  answer,
  apply,
  asking,
  find,
  idsOf,
  query,
  report,
  same,
} from './store-rule.rules.js';

/** What readers of single tasks see. */
export const READING_RULES: StoreRule[] = [
  {
    title: '[G2] a task comes with all of its messages, the last ones, or none',
    async check({ store }) {
      const id = await asking(store);
      await answer(store, id);
      const [task, all] = [await find(store, id), await store.history(id)];
      assert.equal(all.length, 3);
      for (const [length, history] of [
        [undefined, all],
        [0, []],
        [1, all.slice(-1)],
        [2, all.slice(-2)],
        [3, all],
        [100, all],
      ] as const) {
        same(await store.findWithHistory(SCOPE, id, length, NOW), { ...task, history }, String(length));
        same(await store.history(id, length), history, String(length));
      }
      same(await store.history('nothing'), []);
      assert.equal(await store.findWithHistory(SCOPE, 'nothing', undefined, NOW), undefined);
    },
  },
  {
    title:
      '[G2] [H4] tasks that are asked for together come each with its own messages, and to their owners alone',
    async check({ store }) {
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
    title: 'callers who read at once have objects of their own',
    async check({ store }) {
      const { id } = await accepted(store, { retryKey: 'k' });
      const read = () =>
        Promise.all([
          find(store, id),
          store.findWithHistory(SCOPE, id, undefined, NOW),
          store.findByRetryKey(SCOPE, 'k', NOW).then((found) => found?.task),
          store.list(query({ historyLength: 5 })).then(([task]) => task),
        ]);
      const before = structuredClone(await read());
      const [one, other, messages] = await Promise.all([read(), read(), store.history(id)]);
      for (const task of one) {
        if (task && 'history' in task) Object.assign(task.history[0] ?? {}, { messageId: 'changed' });
        Object.assign(task ?? {}, { state: 'failed', history: [] });
      }
      same(other, before);
      Object.assign(messages[0] ?? {}, { messageId: 'changed' });
      same(await read(), before);
      same(await store.history(id), before[1]?.history);
    },
  },
  {
    title: 'nobody changes what is kept by changing what was given or got',
    async check({ store }) {
      const message = { messageId: 'm', role: 'user' as const, parts: [{ text: 'Hello' }] };
      const task = await accepted(store, { message });
      const kept = structuredClone(task);
      Object.assign(message, { messageId: 'changed' });
      Object.assign(task, { state: 'failed' });
      same(await find(store, task.id), kept);
      assert.equal((await store.history(task.id))[0]?.messageId, 'm');
    },
  },
  {
    title: '[G2] [P6] a task and its messages are those of one moment',
    async check({ store }) {
      const { id } = await accepted(store);
      const look = async () => {
        const task = await store.findWithHistory(SCOPE, id, undefined, NOW);
        if (task?.state !== 'input_required') return;
        assert.equal(task.history.at(-1)?.parts[0]?.text, task.statusText);
      };
      for (let n = 1; n <= 12; n += 1) {
        const asks = report(id, 'input_required', n, { statusText: `Question ${n}?` });
        await Promise.all([look(), apply(store, asks), look(), look()]);
      }
      const task = await store.findWithHistory(SCOPE, id, 1, NOW);
      assert.equal(task?.history[0]?.parts[0]?.text, 'Question 12?');
    },
  },
  {
    title: '[R5] open tasks of a computer come least recently checked first',
    async check({ store }) {
      const [a, b, c, d] = [
        await accepted(store),
        await accepted(store),
        await accepted(store),
        await accepted(store, { scope: { accountId: 'bob', agentId: 'lab' } }),
      ];
      await accepted(store, { computerId: 'computer-2' });
      await apply(store, report(a.id, 'working', 1), NOW + 2, true);
      await apply(store, report(b.id, 'input_required', 1), NOW + 1, true);
      await apply(store, report(d.id, 'working', 1), NOW + 3, true);
      const ids = async (limit: number) => idsOf(await store.openTasks('computer-1', limit, NOW + 4));
      same(await ids(10), [c.id, b.id, a.id, d.id]);
      same(await ids(2), [c.id, b.id]);
      await apply(store, report(c.id, 'completed', 1));
      same(await ids(10), [b.id, a.id, d.id]);
      same((await store.openTasks('computer-1', 1, NOW))[0], await find(store, b.id));
      same(await store.openTasks('computer-1', 10, END), []);
    },
  },
];
