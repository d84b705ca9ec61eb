import assert from 'node:assert/strict';
import type { TaskStore } from '../../tasks/index.js';
import type { AnswerDraft } from '../../tasks/index.js';
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
  report,
  same,
} from './store-rule.rules.js';

const PLENTY = { limit: 1_000_000, windowMs: HOUR };

let made = 0;
function answer(
  store: TaskStore,
  taskId: string,
  change: Partial<AnswerDraft> = {},
  { nowMs = NOW, quota = PLENTY } = {},
) {
  made += 1;
  const draft: AnswerDraft = {
    scope: SCOPE,
    taskId,
    retryKey: `answer-key-${made}`,
    fingerprint: 'answer',
    message: { messageId: `answer-${made}`, role: 'user', parts: [{ text: 'Yes' }] },
    ...change,
  };
  return store.acceptAnswer(draft, quota, nowMs);
}

/** A task that asks `Send it?`, with revision 1. */
async function asking(store: TaskStore) {
  const { id } = await accepted(store);
  await apply(store, report(id, 'input_required', 1, { statusText: 'Send it?' }));
  return id;
}

async function texts(store: TaskStore, taskId: string): Promise<string[]> {
  const history = await store.history(taskId);
  return history.map(({ role, parts }) => `${role}: ${parts.map((part) => part.text).join()}`);
}

/** How questions are asked and answered. */
export const ANSWER_RULES: StoreRule[] = [
  {
    title: '[P6] [B97] questions and answers stand in the history in their order',
    async check(store) {
      const id = await asking(store);
      assert.equal((await answer(store, id)).kind, 'accepted');
      await apply(store, report(id, 'input_required', 3, { statusText: 'Now?' }));
      assert.equal((await answer(store, id)).kind, 'accepted');
      await apply(store, report(id, 'completed', 4, { reply: 'Sent' }));
      const expected = ['user: Hello', 'agent: Send it?', 'user: Yes', 'agent: Now?', 'user: Yes'];
      same(await texts(store, id), expected);
      same(await store.history(id, 2), (await store.history(id)).slice(-2));
    },
  },
  {
    title: '[P6] a question that replaces an unanswered one takes its place in the history',
    async check(store) {
      const id = await asking(store);
      await apply(store, report(id, 'input_required', 2, { statusText: 'Shall I send it?' }));
      await apply(store, report(id, 'input_required', 3, { statusText: 'Hello?' }));
      same(await texts(store, id), ['user: Hello', 'agent: Hello?']);
    },
  },
  {
    title: '[P6] [B79] of concurrent answers one is accepted, and none while it is on its way',
    async check(store) {
      const id = await asking(store);
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => answer(store, id)));
      same(outcomes.map(({ kind }) => kind).sort(), ['accepted', ...Array<string>(19).fill('not_waiting')]);
      assert.equal((await store.find(SCOPE, id, NOW))?.pendingAnswer, 2);
      assert.equal((await store.pendingAnswer(id))?.parts[0]?.text, 'Yes');
      await apply(store, report(id, 'working', 2));
      assert.equal((await store.find(SCOPE, id, NOW))?.pendingAnswer, undefined);
      assert.equal(await store.pendingAnswer(id), undefined);
      assert.equal((await texts(store, id)).length, 3);
    },
  },
  {
    title: '[S5] [P6] copies of an answer are one answer; its key is good for nothing else',
    async check(store) {
      const id = await asking(store);
      const copies = await Promise.all(
        Array.from({ length: 20 }, () => answer(store, id, { retryKey: 'k' })),
      );
      same(copies.map(({ kind }) => kind).sort(), ['accepted', ...Array<string>(19).fill('repeated')]);
      assert.equal((await answer(store, id, { retryKey: 'k', fingerprint: 'other' })).kind, 'conflict');
      assert.equal((await accept(store, { retryKey: 'k' })).kind, 'conflict');
      same((await store.findByRetryKey(SCOPE, 'k', NOW))?.fingerprint, 'answer');
      await accepted(store, { retryKey: 'first' });
      assert.equal((await answer(store, id, { retryKey: 'first' })).kind, 'conflict');
    },
  },
  {
    title: '[P6] a task that does not ask takes no answer',
    async check(store) {
      const { id } = await accepted(store);
      assert.equal((await answer(store, id)).kind, 'not_waiting');
      await apply(store, report(id, 'working', 1));
      assert.equal((await answer(store, id)).kind, 'not_waiting');
      await apply(store, report(id, 'completed', 2));
      assert.equal((await answer(store, id)).kind, 'not_waiting');
      assert.equal((await answer(store, 'nothing')).kind, 'not_found');
      same(await texts(store, id), ['user: Hello']);
    },
  },
  {
    title: '[H4] [B103] nobody else answers, and an expired task is not there',
    async check(store) {
      const id = await asking(store);
      for (const scope of OTHER_SCOPES) assert.equal((await answer(store, id, { scope })).kind, 'not_found');
      const late = await answer(store, id, {}, { nowMs: NOW + 7 * DAY });
      assert.equal(late.kind, 'not_found');
      same(await texts(store, id), ['user: Hello', 'agent: Send it?']);
    },
  },
  {
    title: '[P6] a messageId is used once in a task, for the daemon tells answers apart by it',
    async check(store) {
      const id = await asking(store);
      const message = { messageId: 'yes', role: 'user' as const, parts: [{ text: 'Yes' }] };
      assert.equal((await answer(store, id, { message })).kind, 'accepted');
      await apply(store, report(id, 'input_required', 3, { statusText: 'Now?' }));
      assert.equal((await answer(store, id, { message })).kind, 'message_id_used');
    },
  },
  {
    title: '[P6] an answer that was not handed over is gone, unless a report came first',
    async check(store) {
      const id = await asking(store);
      const before = await store.find(SCOPE, id, NOW);
      const first = await answer(store, id, { retryKey: 'k' });
      assert.ok(first.kind === 'accepted');
      assert.equal(await store.withdrawAnswer(first.task), true);
      assert.equal(await store.withdrawAnswer(first.task), false);
      same(await store.find(SCOPE, id, NOW), before);
      same(await texts(store, id), ['user: Hello', 'agent: Send it?']);
      const again = await answer(store, id, { retryKey: 'k' });
      assert.ok(again.kind === 'accepted');
      await apply(store, report(id, 'working', 2));
      assert.equal(await store.withdrawAnswer(again.task), false);
      assert.equal((await texts(store, id)).length, 3);
    },
  },
  {
    title: '[S9] [P7] answers count as messages',
    async check(store) {
      const quota = { limit: 2, windowMs: HOUR };
      const id = await asking(store);
      assert.equal((await answer(store, id, {}, { quota, nowMs: NOW + 1 })).kind, 'accepted');
      await apply(store, report(id, 'input_required', 3, { statusText: 'Now?' }));
      same(await answer(store, id, {}, { quota, nowMs: NOW + 2 }), {
        kind: 'quota_exceeded',
        retryAfterMs: HOUR - 2,
      });
      assert.equal((await accept(store, {}, NOW + 2, quota)).kind, 'quota_exceeded');
      assert.equal((await answer(store, id, {}, { quota, nowMs: NOW + HOUR })).kind, 'accepted');
    },
  },
  {
    title: '[K2] the keys of answers are gone with their task',
    async check(store) {
      const id = await asking(store);
      await answer(store, id, { retryKey: 'k' });
      const later = NOW + 7 * DAY;
      assert.equal(await store.findByRetryKey(SCOPE, 'k', later), undefined);
      await store.endExpired(10, 'late', later);
      assert.equal((await store.deleteExpired(10, later)).length, 1);
      const next = await accept(store, { retryKey: 'k' }, later);
      assert.equal(next.kind, 'accepted');
    },
  },
];
