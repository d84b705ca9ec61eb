import assert from 'node:assert/strict';
import { NOW, SCOPE, type StoreRule, accepted, apply, report, same } from './store-rule.rules.js';

/** How tasks change, and which changes do not apply. */
export const CHANGE_RULES: StoreRule[] = [
  {
    title: '[R4] [B139] only a higher revision applies',
    async check(store) {
      const { id } = await accepted(store);
      assert.equal((await apply(store, report(id, 'working', 3))).kind, 'applied');
      assert.equal((await apply(store, report(id, 'failed', 3))).kind, 'ignored');
      assert.equal((await apply(store, report(id, 'failed', 2))).kind, 'ignored');
      const done = await apply(store, report(id, 'completed', 4, { reply: 'Hi', replyTruncated: true }));
      assert.ok(done.kind === 'applied');
      same(await store.find(SCOPE, id, NOW), done.task);
      same([done.task.reply, done.task.replyTruncated, done.task.revision], ['Hi', true, 4]);
    },
  },
  {
    title: '[R4] [R7] reports that arrive together apply as if one after another',
    async check(store) {
      const [a, b, foreign] = [
        await accepted(store),
        await accepted(store),
        await accepted(store, { computerId: 'computer-2' }),
      ];
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
      const end = await store.find(SCOPE, a.id, NOW);
      same([end?.reply, end?.replyTruncated, end?.lastCheckedAtMs], [reply, true, NOW + 2]);
      same((await store.find(SCOPE, b.id, NOW))?.reply, reply);
      assert.equal((await store.history(a.id)).length, 2);
      assert.equal((await store.find(SCOPE, foreign.id, NOW))?.revision, 0);
    },
  },
  {
    title: '[R7] a computer cannot touch the task of another one, nor one that is not there',
    async check(store) {
      const { id } = await accepted(store, { computerId: 'computer-2' });
      const before = await store.find(SCOPE, id, NOW);
      assert.equal((await apply(store, report(id, 'completed', 9), NOW, true)).kind, 'unknown');
      assert.equal((await apply(store, report('nothing', 'completed', 9), NOW, true)).kind, 'unknown');
      const failed = await store.failUnknown('computer-1', { taskId: id, revision: 0 }, 'gone', NOW);
      assert.equal(failed.kind, 'unknown');
      same(await store.find(SCOPE, id, NOW), before);
    },
  },
  {
    title: '[G5] [B74] [B139] a terminal state never changes, nor its time, reply and explanation',
    async check(store) {
      for (const state of ['completed', 'failed', 'canceled', 'rejected'] as const) {
        const { id } = await accepted(store);
        await apply(store, report(id, state, 1, { statusText: 'first' }));
        const end = await store.find(SCOPE, id, NOW);
        const later = NOW + 5000;
        assert.equal((await apply(store, report(id, 'failed', 2, { reply: 'x' }), later)).kind, 'ignored');
        assert.equal((await apply(store, report(id, 'completed', 9, { reply: 'x' }), later)).kind, 'ignored');
        const unknown = await store.failUnknown('computer-1', { taskId: id, revision: 1 }, 'gone', later);
        assert.equal(unknown.kind, 'ignored');
        same(await store.recordCancelRequest(id, later), end);
        assert.equal(await store.withdraw(id), false);
        same(await store.find(SCOPE, id, later), end);
      }
    },
  },
  {
    title: '[G5] [B73] of two racing ends exactly one applies',
    async check(store) {
      for (let round = 0; round < 50; round += 1) {
        const { id } = await accepted(store);
        const outcomes = await Promise.all([
          apply(store, report(id, 'completed', 2, { reply: 'done' })),
          apply(store, report(id, 'canceled', 2)),
        ]);
        same(outcomes.map((o) => o.kind).sort(), ['applied', 'ignored']);
        const winner = outcomes.find((outcome) => outcome.kind === 'applied');
        same(await store.find(SCOPE, id, NOW), winner?.kind === 'applied' && winner.task);
      }
    },
  },
  {
    title: 'the status time never moves backwards, and stands still while the status does',
    async check(store) {
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
    title: '[G1] an answer to a question records the check, whether or not it says anything new',
    async check(store) {
      const { id } = await accepted(store);
      await apply(store, report(id, 'working', 1));
      assert.equal((await store.find(SCOPE, id, NOW))?.lastCheckedAtMs, undefined);
      await apply(store, report(id, 'working', 1), NOW + 1, true);
      assert.equal((await store.find(SCOPE, id, NOW))?.lastCheckedAtMs, NOW + 1);
      await apply(store, report(id, 'completed', 2), NOW + 2, true);
      assert.equal((await store.find(SCOPE, id, NOW))?.lastCheckedAtMs, NOW + 2);
    },
  },
  {
    title: '[R5] an unknown job fails its task, unless a report came after the question',
    async check(store) {
      const { id } = await accepted(store);
      await apply(store, report(id, 'working', 1));
      const stale = await store.failUnknown('computer-1', { taskId: id, revision: 0 }, 'gone', NOW);
      assert.equal(stale.kind, 'ignored');
      const failed = await store.failUnknown('computer-1', { taskId: id, revision: 1 }, 'gone', NOW + 7);
      assert.ok(failed.kind === 'applied');
      const { state, statusText, statusAtMs, lastCheckedAtMs } = failed.task;
      same([state, statusText, statusAtMs, lastCheckedAtMs], ['failed', 'gone', NOW + 7, NOW + 7]);
    },
  },
  {
    title: '[G5] the first request to cancel stands',
    async check(store) {
      const { id } = await accepted(store);
      assert.equal((await store.recordCancelRequest(id, NOW + 1))?.cancelRequestedAtMs, NOW + 1);
      assert.equal((await store.recordCancelRequest(id, NOW + 2))?.cancelRequestedAtMs, NOW + 1);
      assert.equal(await store.recordCancelRequest('nothing', NOW), undefined);
    },
  },
];
