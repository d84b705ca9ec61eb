import assert from 'node:assert/strict';
import { NOW, type StoreRule, accepted, apply, find, kindsOf, report, same } from './store-rule.rules.js';

/** How the reports of daemons change tasks, and which do not. */
export const CHANGE_RULES: StoreRule[] = [
  {
    title: '[R4] [B139] only a higher revision applies',
    async check({ store }) {
      const { id } = await accepted(store);
      assert.equal((await apply(store, report(id, 'failed', 0))).kind, 'ignored');
      assert.equal((await apply(store, report(id, 'working', 3))).kind, 'applied');
      const before = await find(store, id);
      for (const revision of [3, 2]) {
        const stale = report(id, 'failed', revision, { statusText: 'stale', reply: 'stale' });
        same(await apply(store, stale, NOW + 1), { kind: 'ignored', task: before });
        same(await find(store, id), before);
      }
      const done = await apply(store, report(id, 'completed', 9, { reply: 'Hi', replyTruncated: true }));
      assert.ok(done.kind === 'applied');
      same(await find(store, id), done.task);
      same([done.task.reply, done.task.replyTruncated, done.task.revision], ['Hi', true, 9]);
    },
  },
  {
    title: '[R4] [R7] reports that arrive together apply as if one after another',
    async check({ store }) {
      const [a, b] = [await accepted(store), await accepted(store)];
      const foreign = await accepted(store, { computerId: 'computer-2' });
      const reply = 'Done\u0000 "é" \\';
      const outcomes = await Promise.all([
        apply(store, report(a.id, 'submitted', 1)),
        apply(store, report(a.id, 'working', 2, { statusText: 'soon' })),
        apply(store, report(b.id, 'completed', 5, { reply })),
        apply(store, report(a.id, 'input_required', 3, { statusText: 'Now?' })),
        apply(store, report(foreign.id, 'completed', 1), NOW, true),
        apply(store, report(a.id, 'working', 2), NOW + 1, true),
        apply(store, report('nothing', 'working', 1)),
        apply(store, report(a.id, 'completed', 4, { reply, replyTruncated: true }), NOW + 2, true),
        apply(store, report(b.id, 'failed', 6)),
      ]);
      const seen = outcomes.map((outcome) => [
        outcome.kind,
        ...(outcome.kind === 'unknown' ? [] : [outcome.task.state, outcome.task.revision]),
      ]);
      same(seen, [
        ['applied', 'submitted', 1],
        ['applied', 'working', 2],
        ['applied', 'completed', 5],
        ['applied', 'input_required', 3],
        ['unknown'],
        ['ignored', 'input_required', 3],
        ['unknown'],
        ['applied', 'completed', 4],
        ['ignored', 'completed', 5],
      ]);
      const end = await find(store, a.id);
      same([end?.reply, end?.replyTruncated, end?.lastCheckedAtMs], [reply, true, NOW + 2]);
      same((await find(store, b.id))?.reply, reply);
      assert.equal((await store.history(a.id)).length, 2);
      assert.equal((await find(store, foreign.id))?.revision, 0);
    },
  },
  {
    title: '[R7] a computer cannot touch the task of another one, nor one that is not there',
    async check({ store }) {
      const { id } = await accepted(store, { computerId: 'computer-2' });
      const before = await find(store, id);
      same(await apply(store, report(id, 'completed', 9), NOW, true), { kind: 'unknown' });
      same(await apply(store, report(id, 'completed', 0), NOW, true), { kind: 'unknown' });
      same(await apply(store, report('nothing', 'completed', 9), NOW, true), { kind: 'unknown' });
      const failed = await store.failUnknown('computer-1', { taskId: id, revision: 0 }, 'gone', NOW);
      same(failed, { kind: 'unknown' });
      same(await find(store, id), before);
    },
  },
  {
    title: 'the status time never moves backwards, and stands still while the status does',
    async check({ store }) {
      const { id } = await accepted(store);
      const times: (number | undefined)[] = [];
      for (const [state, at, text] of [
        ['working', NOW + 10, 'a'],
        ['working', NOW + 20, 'a'],
        ['working', NOW + 30, 'b'],
        ['input_required', NOW - 5000, undefined],
      ] as const) {
        const more = text === undefined ? {} : { statusText: text };
        const outcome = await apply(store, report(id, state, times.length + 1, more), at);
        times.push(outcome.kind === 'applied' ? outcome.task.statusAtMs : undefined);
      }
      same(times, [NOW + 10, NOW + 10, NOW + 30, NOW + 30]);
    },
  },
  {
    title: '[S10] a reply stays when a later report has none, and the explanation is that of the state',
    async check({ store }) {
      const { id } = await accepted(store);
      await apply(store, report(id, 'working', 1, { statusText: 'soon', reply: 'Hi', replyTruncated: true }));
      const done = await apply(store, report(id, 'completed', 2));
      assert.ok(done.kind === 'applied');
      const { reply, replyTruncated } = done.task;
      same([reply, replyTruncated, 'statusText' in done.task], ['Hi', true, false]);
      same(await find(store, id), done.task);
    },
  },
  {
    title: '[G1] an answer to a question records the check, whether or not it says anything new',
    async check({ store }) {
      const { id } = await accepted(store);
      await apply(store, report(id, 'working', 1));
      const before = await find(store, id);
      assert.equal(before?.lastCheckedAtMs, undefined);
      const checked = { ...before, lastCheckedAtMs: NOW + 1 };
      const outcome = await apply(store, report(id, 'working', 1), NOW + 1, true);
      same(outcome, { kind: 'ignored', task: checked });
      same(await find(store, id), checked);
      await apply(store, report(id, 'completed', 2), NOW + 2, true);
      assert.equal((await find(store, id))?.lastCheckedAtMs, NOW + 2);
    },
  },
  {
    title: '[G1] a report that nobody asked for is no check',
    async check({ store }) {
      const { id } = await accepted(store);
      await apply(store, report(id, 'working', 1), NOW + 1, true);
      await apply(store, report(id, 'working', 2), NOW + 2);
      await apply(store, report(id, 'working', 2), NOW + 3);
      assert.equal((await find(store, id))?.lastCheckedAtMs, NOW + 1);
    },
  },
  {
    title: '[G1] the last check never moves backwards',
    async check({ store }) {
      const { id } = await accepted(store);
      await apply(store, report(id, 'working', 1), NOW + 5, true);
      await apply(store, report(id, 'working', 1), NOW + 4, true);
      await apply(store, report(id, 'working', 2), NOW + 3, true);
      assert.equal((await find(store, id))?.lastCheckedAtMs, NOW + 5);
    },
  },
];

/** How tasks end, and that they end once. */
export const END_RULES: StoreRule[] = [
  {
    title: '[G5] [B74] [B139] a terminal state never changes, nor its time, reply and explanation',
    async check({ store }) {
      for (const state of ['completed', 'failed', 'canceled', 'rejected'] as const) {
        const { id } = await accepted(store);
        await apply(store, report(id, state, 1, { statusText: 'first', reply: 'first' }));
        const end = await find(store, id);
        const later = NOW + 5000;
        for (const other of ['working', 'input_required', 'failed', 'completed', 'canceled'] as const) {
          const more = report(id, other, 2, { statusText: 'second', reply: 'second' });
          same(await apply(store, more, later, true), { kind: 'ignored', task: end }, `${state}, ${other}`);
        }
        const unknown = await store.failUnknown('computer-1', { taskId: id, revision: 1 }, 'gone', later);
        same(unknown, { kind: 'ignored', task: end });
        same(await store.recordCancelRequest(id, later), end);
        same(await find(store, id, later), end);
        assert.equal((await store.history(id)).length, 1);
      }
    },
  },
  {
    title: '[G5] [B73] of two racing ends exactly one applies',
    async check({ store }) {
      for (let round = 0; round < 20; round += 1) {
        const { id } = await accepted(store);
        const outcomes = await Promise.all([
          apply(store, report(id, 'completed', 2, { reply: 'done' })),
          apply(store, report(id, 'canceled', 2)),
        ]);
        same(kindsOf(outcomes), ['applied', 'ignored']);
        const winner = outcomes.find((outcome) => outcome.kind === 'applied');
        same(await find(store, id), winner?.kind === 'applied' && winner.task);
      }
    },
  },
  {
    title: '[R5] an unknown job fails its task, unless a report came after the question',
    async check({ store }) {
      const { id } = await accepted(store);
      await apply(store, report(id, 'working', 1));
      const before = await find(store, id);
      const stale = await store.failUnknown('computer-1', { taskId: id, revision: 0 }, 'gone', NOW);
      same(stale, { kind: 'ignored', task: before });
      same(await find(store, id), before);
      const failed = await store.failUnknown('computer-1', { taskId: id, revision: 1 }, 'gone', NOW + 7);
      assert.ok(failed.kind === 'applied');
      const end = { state: 'failed', statusText: 'gone', statusAtMs: NOW + 7, lastCheckedAtMs: NOW + 7 };
      same(failed.task, { ...before, ...end });
      same(await find(store, id), failed.task);
    },
  },
  {
    title: '[R5] failing an unknown job moves no time backwards, and touches no other task',
    async check({ store }) {
      const [{ id }, other] = [await accepted(store), await accepted(store)];
      await apply(store, report(id, 'working', 1), NOW + 9, true);
      await store.failUnknown('computer-1', { taskId: id, revision: 1 }, 'gone', NOW + 7);
      const task = await find(store, id);
      same([task?.state, task?.statusAtMs, task?.lastCheckedAtMs], ['failed', NOW + 9, NOW + 9]);
      same(await find(store, other.id), other);
      const nothing = await store.failUnknown('computer-1', { taskId: 'nothing', revision: 0 }, 'gone', NOW);
      same(nothing, { kind: 'unknown' });
    },
  },
  {
    title: '[R5] of a report and the news that the job is unknown exactly one applies',
    async check({ store }) {
      for (let round = 0; round < 10; round += 1) {
        const { id } = await accepted(store);
        const fail = () => store.failUnknown('computer-1', { taskId: id, revision: 0 }, 'gone', NOW);
        const tell = () => apply(store, report(id, 'completed', 1));
        const outcomes = await Promise.all(round % 2 === 0 ? [fail(), tell()] : [tell(), fail()]);
        same(kindsOf(outcomes), ['applied', 'ignored']);
        const winner = outcomes.find((outcome) => outcome.kind === 'applied');
        same(await find(store, id), winner?.kind === 'applied' && winner.task);
      }
    },
  },
  {
    title: '[G5] the first request to cancel stands, also of those that come together',
    async check({ store }) {
      const { id } = await accepted(store);
      assert.equal((await store.recordCancelRequest(id, NOW + 1))?.cancelRequestedAtMs, NOW + 1);
      assert.equal((await store.recordCancelRequest(id, NOW + 2))?.cancelRequestedAtMs, NOW + 1);
      const second = await accepted(store);
      const all = await Promise.all([3, 4, 5].map((at) => store.recordCancelRequest(second.id, NOW + at)));
      assert.equal(new Set(all.map((task) => task?.cancelRequestedAtMs)).size, 1);
      assert.equal(await store.recordCancelRequest('nothing', NOW), undefined);
    },
  },
  {
    title: '[G5] a request to cancel changes nothing else, and stays with the task',
    async check({ store }) {
      const { id } = await accepted(store);
      await apply(store, report(id, 'working', 1, { statusText: 'soon' }));
      const asked = { ...(await find(store, id)), cancelRequestedAtMs: NOW + 1 };
      same(await store.recordCancelRequest(id, NOW + 1), asked);
      same(await find(store, id), asked);
      await apply(store, report(id, 'canceled', 2), NOW + 2);
      assert.equal((await find(store, id))?.cancelRequestedAtMs, NOW + 1);
    },
  },
];
