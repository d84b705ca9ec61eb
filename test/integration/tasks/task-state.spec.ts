import { TaskNotCancelableError, TaskNotFoundError } from '../../../src/a2a/index.js';
import { UnavailableFailure } from '../../../src/common/index.js';
import type { StatusAnswer } from '../../../src/tasks/index.js';
import { report } from '../../support/scripted-executor.js';
import {
  COMPUTER,
  SCOPE,
  eventually,
  gate,
  sending,
  startTaskSystem,
  type TaskSystem,
} from '../../support/task-system.js';

let system: TaskSystem;
beforeEach(async () => {
  system = await startTaskSystem();
});
afterEach(async () => {
  await system.stop();
  system.remove();
});

const reported = (...reports: ReturnType<typeof report>[]): StatusAnswer[] =>
  reports.map((each) => ({ kind: 'reported', report: each }));

describe('GetTask', () => {
  it('[H4] [B103] finds nothing of another account, assistant ', async () => {
    const { id } = await system.send.execute(sending());
    const scopes = [
      { ...SCOPE, accountId: 'bob' },
      { ...SCOPE, agentId: 'lab' },
    ];
    for (const scope of scopes) {
      await expect(system.get.execute(scope, id)).rejects.toBeInstanceOf(TaskNotFoundError);
      await expect(system.cancel.execute(scope, id)).rejects.toBeInstanceOf(TaskNotFoundError);
    }
    await expect(system.get.execute(SCOPE, '__proto__')).rejects.toBeInstanceOf(TaskNotFoundError);
    expect([system.executor.questions, system.executor.canceled]).toEqual([[], []]);
  });

  it('[G1] asks the computer about an open task and answers with the newest state', async () => {
    const { id } = await system.send.execute(sending());
    system.executor.onStatus = () => reported(report(id, 'working', 5));
    const task = await system.get.execute(SCOPE, id);
    expect(task).toMatchObject({ state: 'working', lastCheckedAtMs: expect.any(Number) });
    expect(system.executor.questions).toEqual([{ taskIds: [id], patience: 'short' }]);
  });

  it('[G1] asks once for any number of callers, and in one question for the tasks of one computer', async () => {
    const tasks = await Promise.all(Array.from({ length: 60 }, () => system.send.execute(sending())));
    const answer = gate();
    system.executor.onStatus = async (ids) => {
      await answer.passed;
      return reported(...ids.map((id) => report(id, 'working', 5)));
    };
    const both = [...tasks, ...tasks].map((task) => system.refresher.refresh(task));
    await eventually(() => system.executor.questions.length >= 2);
    const late = tasks.map((task) => system.refresher.refresh(task));
    answer.open();
    await Promise.all([...both, ...late]);
    const asked = system.executor.questions.map((question) => question.taskIds.length);
    expect(asked).toEqual([50, 10]);
  });

  it('[G1] answers with what is known when the computer is offline or silent', async () => {
    const { id } = await system.send.execute(sending());
    const silent = await system.get.execute(SCOPE, id);
    // Whether it is connected is the executor's business, which then has no answer either.
    system.executor.available = false;
    const offline = await system.get.execute(SCOPE, id);
    for (const task of [silent, offline]) expect(task.state).toBe('submitted');
    expect([offline.lastCheckedAtMs, system.executor.questions.length]).toEqual([undefined, 2]);
  });

  it('[G1] answers for a terminal task from the store alone', async () => {
    const { id } = await system.send.execute(sending());
    await system.reports.take(COMPUTER, report(id, 'completed', 2));
    await system.get.execute(SCOPE, id);
    expect(system.executor.questions).toEqual([]);
  });

  it('[R5] fails a task that its computer does not know', async () => {
    const { id } = await system.send.execute(sending());
    system.executor.onStatus = (ids) => ids.map((taskId) => ({ kind: 'unknown', taskId }));
    expect(await system.get.execute(SCOPE, id)).toMatchObject({
      state: 'failed',
      statusText: expect.stringContaining('does not know'),
    });
    expect(system.executor.orders).toHaveLength(1);
  });

  it('[R5] asks nothing about a task whose submission is on its way', async () => {
    const submitted = gate();
    system.executor.onStatus = (ids) => ids.map((taskId) => ({ kind: 'unknown', taskId }));
    system.executor.onSubmit = async ({ taskId }) => {
      await submitted.passed;
      return { kind: 'accepted', report: report(taskId, 'working', 1) };
    };
    const sent = system.send.execute(sending());
    await eventually(() => system.executor.orders.length === 1);
    const id = system.executor.orders[0]?.taskId ?? '';
    expect((await system.get.execute(SCOPE, id)).state).toBe('submitted');
    expect(await system.refresher.reconcile(COMPUTER, 50)).toBe(0);
    submitted.open();
    expect((await sent).state).toBe('working');
    expect(system.executor.questions).toEqual([]);
  });

  it('[B93] finds a task at once after its send, 200 times', async () => {
    const states = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const { id } = await system.send.execute(sending());
        return (await system.get.execute(SCOPE, id)).id === id;
      }),
    );
    expect(new Set(states)).toEqual(new Set([true]));
  });

  it('[G2] [B94] gives all messages, none, or the last ones', async () => {
    const request = sending();
    const task = await system.send.execute(request);
    expect(await system.get.history(task)).toEqual([request.message]);
    expect(await system.get.history(task, 0)).toEqual([]);
    expect(await system.get.history(task, 100)).toEqual([request.message]);
  });
});

describe('reconciliation', () => {
  it('[R5] asks about open tasks in questions of fifty, least recently checked first, up to the limit', async () => {
    await Promise.all(Array.from({ length: 130 }, () => system.send.execute(sending())));
    system.executor.onStatus = (ids) => reported(...ids.map((id) => report(id, 'working', 5)));
    expect(await system.refresher.reconcile(COMPUTER, 120)).toBe(120);
    const asked = system.executor.questions.map((question) => question.taskIds.length);
    expect(asked).toEqual([50, 50, 20]);
    expect(system.executor.questions[0]?.patience).toBe('long');
    await system.refresher.reconcile(COMPUTER, 10);
    const first = new Set(system.executor.questions.slice(0, 3).flatMap((question) => question.taskIds));
    expect(system.executor.questions[3]?.taskIds.filter((id) => first.has(id))).toEqual([]);
  });

  it('[R5] stops when the computer stops answering, and submits nothing', async () => {
    await Promise.all(Array.from({ length: 60 }, () => system.send.execute(sending())));
    expect(await system.refresher.reconcile(COMPUTER, 100)).toBe(50);
    expect([system.executor.questions.length, system.executor.orders.length]).toEqual([1, 60]);
  });

  it('[R7] takes no notice of answers about what was not asked', async () => {
    const { id } = await system.send.execute(sending());
    const done = await system.send.execute(sending());
    await system.reports.take(COMPUTER, report(done.id, 'working', 2));
    system.executor.onStatus = () => reported(report(done.id, 'failed', 9), report(id, 'working', 2));
    await system.refresher.refresh(await system.get.stored(SCOPE, id).then((task) => task ?? done));
    expect((await system.get.stored(SCOPE, done.id))?.state).toBe('working');
    expect((await system.get.stored(SCOPE, id))?.state).toBe('working');
  });
});

describe('CancelTask', () => {
  const canceledAt = (id: string, revision = 9) => ({
    kind: 'reported' as const,
    report: report(id, 'canceled', revision),
  });

  it('[G5] [B77] answers with the canceled task, just as GetTask says afterwards; the waiter hears of it', async () => {
    const waiting = system.send.execute(sending({ returnImmediately: false }));
    await eventually(() => system.events.listenerCount === 1);
    system.executor.onCancel = (id) => canceledAt(id);
    const task = await system.cancel.execute(SCOPE, system.executor.orders[0]?.taskId ?? '');
    expect(task.state).toBe('canceled');
    expect(await system.get.execute(SCOPE, task.id)).toMatchObject(task);
    expect(await waiting).toEqual(task);
  });

  it('[G5] answers with the open task and the time of the request while the job still runs', async () => {
    const { id } = await system.send.execute(sending());
    system.executor.onCancel = () => ({ kind: 'reported', report: report(id, 'working', 2) });
    const task = await system.cancel.execute(SCOPE, id);
    expect(task).toMatchObject({ state: 'working', cancelRequestedAtMs: expect.any(Number) });
    expect(await system.get.execute(SCOPE, id)).toMatchObject(task);
  });

  it('[G5] [B76] confirms nothing that the computer did not confirm', async () => {
    const { id } = await system.send.execute(sending());
    await expect(system.cancel.execute(SCOPE, id)).rejects.toBeInstanceOf(UnavailableFailure);
    expect(await system.get.stored(SCOPE, id)).toMatchObject({ state: 'submitted' });
  });

  it('[G5] refuses a terminal task, and does not ask its computer', async () => {
    const { id } = await system.send.execute(sending());
    await system.reports.take(COMPUTER, report(id, 'completed', 2));
    await expect(system.cancel.execute(SCOPE, id)).rejects.toBeInstanceOf(TaskNotCancelableError);
    expect(system.executor.canceled).toEqual([]);
  });

  it.each(['completed', 'failed', 'rejected'] as const)(
    '[G5] takes over a job that turns out to be %s, and refuses to cancel it',
    async (state) => {
      const { id } = await system.send.execute(sending());
      system.executor.onCancel = () => ({ kind: 'reported', report: report(id, state, 3) });
      await expect(system.cancel.execute(SCOPE, id)).rejects.toBeInstanceOf(TaskNotCancelableError);
      expect((await system.get.stored(SCOPE, id))?.state).toBe(state);
    },
  );

  it('[G5] [R5] fails a task that the computer does not know, and refuses to cancel it', async () => {
    const { id } = await system.send.execute(sending());
    system.executor.onCancel = () => ({ kind: 'unknown' });
    await expect(system.cancel.execute(SCOPE, id)).rejects.toBeInstanceOf(TaskNotCancelableError);
    expect((await system.get.stored(SCOPE, id))?.state).toBe('failed');
  });

  it('[G5] waits for a submission that is on its way', async () => {
    const submitted = gate();
    system.executor.onSubmit = async ({ taskId }) => {
      await submitted.passed;
      return { kind: 'accepted', report: report(taskId, 'submitted', 1) };
    };
    const sent = system.send.execute(sending());
    await eventually(() => system.executor.orders.length === 1);
    system.executor.onCancel = (id) => canceledAt(id);
    const canceling = system.cancel.execute(SCOPE, system.executor.orders[0]?.taskId ?? '');
    await system.store.count(SCOPE, {}, 0);
    expect(system.executor.canceled).toEqual([]);
    submitted.open();
    expect([(await sent).state, (await canceling).state]).toEqual(['submitted', 'canceled']);
  });

  it('[G5] [B73] [B74] ends each of 200 raced tasks once, and the answer agrees with the task', async () => {
    const tasks = await Promise.all(Array.from({ length: 200 }, () => system.send.execute(sending())));
    system.executor.onCancel = (id) => canceledAt(id, 2);
    const races = tasks.map(async ({ id }) => {
      const [canceling] = await Promise.allSettled([
        system.cancel.execute(SCOPE, id),
        system.reports.take(COMPUTER, report(id, 'completed', 2, { reply: 'Hi' })),
      ]);
      const end = await system.get.execute(SCOPE, id);
      await system.reports.take(COMPUTER, report(id, 'failed', 3, { statusText: 'aborted' }));
      await system.reports.take(COMPUTER, report(id, 'completed', 4, { reply: 'late' }));
      expect(await system.get.execute(SCOPE, id)).toEqual(end);
      expect(canceling.status).toBe(end.state === 'canceled' ? 'fulfilled' : 'rejected');
      if (canceling.status === 'fulfilled') expect(canceling.value).toEqual(end);
      else expect(canceling.reason).toBeInstanceOf(TaskNotCancelableError);
      return end.state;
    });
    for (const state of await Promise.all(races)) expect(['canceled', 'completed']).toContain(state);
  });
});
