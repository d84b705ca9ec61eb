import assert from 'node:assert/strict';
import {
  END,
  HOUR,
  NOW,
  OTHER_SCOPES,
  SCOPE,
  type StoreRule,
  accept,
  accepted,
  answer,
  apply,
  asking,
  find,
  kindsOf,
  report,
  same,
  texts,
} from './store-rule.rules.js';

const NONE = { limit: 0, windowMs: HOUR };

/** How questions are asked and answered. */
export const ANSWER_RULES: StoreRule[] = [
  {
    title: '[P6] [B97] questions and answers stand in the history in their order',
    async check({ store }) {
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
    title: '[P6] a question is a message of the assistant, with an id of its own',
    async check({ store }) {
      const id = await asking(store);
      const parts = [{ text: 'Send it?' }];
      const question = { messageId: `${id}-question-1`, role: 'agent', parts };
      same((await store.history(id))[1], question);
    },
  },
  {
    title: '[P6] a question that replaces an unanswered one takes its place in the history',
    async check({ store }) {
      const id = await asking(store);
      await apply(store, report(id, 'input_required', 2, { statusText: 'Shall I send it?' }));
      await apply(store, report(id, 'input_required', 3, { statusText: 'Hello?' }));
      same(await texts(store, id), ['user: Hello', 'agent: Hello?']);
    },
  },
  {
    title: '[P6] what is no question is not in the history',
    async check({ store }) {
      const { id } = await accepted(store);
      await apply(store, report(id, 'working', 2, { statusText: 'soon' }));
      await apply(store, report(id, 'input_required', 1, { statusText: 'Too late?' }));
      await apply(store, report(id, 'input_required', 3));
      await apply(store, report(id, 'failed', 4, { statusText: 'no luck', reply: 'Hi' }));
      await apply(store, report(id, 'input_required', 5, { statusText: 'Too late?' }));
      same(await texts(store, id), ['user: Hello']);
    },
  },
  {
    title: '[P6] an answer that is accepted is on its way, and changes nothing else',
    async check({ store }) {
      const id = await asking(store);
      const before = await find(store, id);
      const outcome = await answer(store, id, {}, { nowMs: NOW + 5 });
      same(outcome, { kind: 'accepted', task: { ...before, pendingAnswer: 2 } });
      same(await find(store, id), { ...before, pendingAnswer: 2 });
      same((await store.pendingAnswer(id))?.parts, [{ text: 'Yes' }]);
    },
  },
  {
    title: '[P6] [B79] of concurrent answers one is accepted, and none while it is on its way',
    async check({ store }) {
      const id = await asking(store);
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => answer(store, id)));
      same(kindsOf(outcomes), ['accepted', ...Array<string>(19).fill('not_waiting')]);
      assert.equal((await answer(store, id)).kind, 'not_waiting');
      assert.equal((await texts(store, id)).length, 3);
    },
  },
  {
    title: '[P6] a report that applies settles the answer that was on its way, and no other does',
    async check({ store }) {
      const id = await asking(store);
      assert.equal(await store.pendingAnswer(id), undefined);
      await answer(store, id);
      for (const stale of [report(id, 'input_required', 1), report(id, 'working', 0)]) {
        await apply(store, stale, NOW + 1, true);
        assert.equal((await find(store, id))?.pendingAnswer, 2);
      }
      await apply(store, report(id, 'working', 2));
      assert.equal((await find(store, id))?.pendingAnswer, undefined);
      assert.equal(await store.pendingAnswer(id), undefined);
      assert.equal((await texts(store, id)).length, 3);
    },
  },
  {
    title: '[R5] a task that is failed has no answer on its way',
    async check({ store }) {
      const [lost, late] = [await asking(store), await asking(store)];
      await Promise.all([answer(store, lost), answer(store, late)]);
      const failed = await store.failUnknown('computer-1', { taskId: lost, revision: 1 }, 'gone', NOW);
      assert.equal(failed.kind === 'applied' && failed.task.pendingAnswer, undefined);
      assert.equal(await store.pendingAnswer(lost), undefined);
      const [ended] = await store.endExpired(10, 'late', END);
      same([ended?.id, ended?.pendingAnswer], [late, undefined]);
      assert.equal(await store.pendingAnswer(late), undefined);
    },
  },
  {
    title: '[S5] [P6] copies of an answer are one answer',
    async check({ store }) {
      const id = await asking(store);
      const copies = await Promise.all(
        Array.from({ length: 20 }, () => answer(store, id, { retryKey: 'k' })),
      );
      same(kindsOf(copies), ['accepted', ...Array<string>(19).fill('repeated')]);
      await apply(store, report(id, 'completed', 2, { reply: 'Sent' }));
      const task = await find(store, id);
      same(await answer(store, id, { retryKey: 'k' }), { kind: 'repeated', task });
      assert.equal((await texts(store, id)).length, 3);
    },
  },
  {
    title: '[S5] [P6] first messages and answers share the keys of their scope',
    async check({ store }) {
      await accepted(store, { retryKey: 'first' });
      const id = await asking(store);
      assert.equal((await answer(store, id, { retryKey: 'first' })).kind, 'conflict');
      assert.equal((await answer(store, id, { retryKey: 'k' })).kind, 'accepted');
      assert.equal((await answer(store, id, { retryKey: 'k', fingerprint: 'other' })).kind, 'conflict');
      assert.equal((await accept(store, { retryKey: 'k' })).kind, 'conflict');
      const task = await find(store, id);
      same(await store.findByRetryKey(SCOPE, 'k', NOW), { task, fingerprint: 'answer' });
      for (const scope of OTHER_SCOPES) {
        assert.equal(await store.findByRetryKey(scope, 'k', NOW), undefined);
        assert.equal((await accept(store, { scope, retryKey: 'k' })).kind, 'accepted');
      }
    },
  },
  {
    title: '[P6] a task that does not ask takes no answer, and is shown as it is',
    async check({ store }) {
      const { id } = await accepted(store);
      const refused = async () =>
        same(await answer(store, id), { kind: 'not_waiting', task: await find(store, id) });
      await refused();
      await apply(store, report(id, 'working', 1));
      await refused();
      await apply(store, report(id, 'completed', 2));
      await refused();
      same(await texts(store, id), ['user: Hello']);
    },
  },
  {
    title: '[H4] [B103] nobody else answers, and a task that is not there takes no answer',
    async check({ store }) {
      const id = await asking(store);
      for (const scope of OTHER_SCOPES) assert.equal((await answer(store, id, { scope })).kind, 'not_found');
      assert.equal((await answer(store, 'nothing')).kind, 'not_found');
      assert.equal((await answer(store, id, {}, { nowMs: END })).kind, 'not_found');
      same(await texts(store, id), ['user: Hello', 'agent: Send it?']);
    },
  },
  {
    title: '[P6] a messageId is used once in a task, for the daemon tells answers apart by it',
    async check({ store }) {
      const named = (messageId: string) => ({
        message: { messageId, role: 'user' as const, parts: [{ text: 'Yes' }] },
      });
      const id = await asking(store, named('first'));
      assert.equal((await answer(store, id, named('first'))).kind, 'message_id_used');
      assert.equal((await answer(store, id, named('yes'))).kind, 'accepted');
      await apply(store, report(id, 'input_required', 3, { statusText: 'Now?' }));
      assert.equal((await answer(store, id, named('yes'))).kind, 'message_id_used');
      assert.equal((await answer(store, await asking(store), named('yes'))).kind, 'accepted');
    },
  },
  {
    title: '[S5] [S9] the key is checked before the task, its messageId and the quota, in this order',
    async check({ store }) {
      const message = { messageId: 'first', role: 'user' as const, parts: [{ text: 'Yes' }] };
      const id = await asking(store, { message });
      const refusing = { quota: NONE };
      assert.equal((await answer(store, id, { message }, refusing)).kind, 'message_id_used');
      assert.equal((await answer(store, id, {}, refusing)).kind, 'quota_exceeded');
      await answer(store, id, { retryKey: 'k' });
      assert.equal((await answer(store, id, { message }, refusing)).kind, 'not_waiting');
      assert.equal((await answer(store, id, { retryKey: 'k' }, refusing)).kind, 'repeated');
    },
  },
  {
    title: '[P6] [S9] an answer that is refused leaves nothing, and its key is free',
    async check({ store }) {
      const message = { messageId: 'first', role: 'user' as const, parts: [{ text: 'Yes' }] };
      const id = await asking(store, { message });
      const before = await find(store, id);
      await answer(store, id, { retryKey: 'k' }, { quota: NONE });
      await answer(store, id, { retryKey: 'k', message });
      await answer(store, 'nothing', { retryKey: 'k' });
      same(await find(store, id), before);
      assert.equal((await texts(store, id)).length, 2);
      assert.equal(await store.findByRetryKey(SCOPE, 'k', NOW), undefined);
      assert.equal((await answer(store, id, { retryKey: 'k' })).kind, 'accepted');
    },
  },
  {
    title: '[G5] [P6] an answer and the end of its task, at once: what is over has no answer on its way',
    async check({ store }) {
      for (let round = 0; round < 10; round += 1) {
        const id = await asking(store);
        const end = () => apply(store, report(id, 'canceled', 2));
        const first = round % 2 === 0 ? [answer(store, id), end()] : [end(), answer(store, id)];
        await Promise.all(first);
        const task = await find(store, id);
        same([task?.state, task?.pendingAnswer], ['canceled', undefined]);
        assert.equal(await store.pendingAnswer(id), undefined);
      }
    },
  },
];

/** How answers are taken back. */
export const ANSWER_WITHDRAWAL_RULES: StoreRule[] = [
  {
    title: '[P6] an answer that was not handed over is gone: its message, its key and its mark',
    async check({ store }) {
      const id = await asking(store);
      const before = await find(store, id);
      const first = await answer(store, id, { retryKey: 'k' });
      assert.ok(first.kind === 'accepted');
      assert.equal(await store.withdrawAnswer(first.task), true);
      assert.equal(await store.withdrawAnswer(first.task), false);
      same(await find(store, id), before);
      same(await texts(store, id), ['user: Hello', 'agent: Send it?']);
      assert.equal(await store.pendingAnswer(id), undefined);
      assert.equal(await store.findByRetryKey(SCOPE, 'k', NOW), undefined);
      assert.equal((await answer(store, id, { retryKey: 'k', fingerprint: 'other' })).kind, 'accepted');
    },
  },
  {
    title: '[P6] an answer that a report settled is not withdrawn',
    async check({ store }) {
      const id = await asking(store);
      const given = await answer(store, id);
      assert.ok(given.kind === 'accepted');
      await apply(store, report(id, 'working', 2));
      assert.equal(await store.withdrawAnswer(given.task), false);
      const task = await find(store, id);
      assert.ok(task);
      assert.equal(await store.withdrawAnswer(task), false);
      assert.equal((await texts(store, id)).length, 3);
    },
  },
  {
    title: '[P6] withdrawing an earlier answer leaves the present one alone',
    async check({ store }) {
      const id = await asking(store);
      const first = await answer(store, id);
      assert.ok(first.kind === 'accepted');
      await apply(store, report(id, 'input_required', 2, { statusText: 'Now?' }));
      const second = await answer(store, id);
      assert.ok(second.kind === 'accepted');
      assert.equal(await store.withdrawAnswer(first.task), false);
      same(await find(store, id), second.task);
      assert.equal((await texts(store, id)).length, 5);
    },
  },
];
