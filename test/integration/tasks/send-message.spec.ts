import { InvalidParamsError, messageText } from '../../../src/a2a/index.js';
import { TooManyRequestsFailure, UnavailableFailure, WaitTimeoutFailure } from '../../../src/common/index.js';
import type { Task } from '../../../src/tasks/index.js';
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

const count = (system: TaskSystem) => system.store.count(SCOPE, {}, Date.now());

describe('SendMessage', () => {
  let system: TaskSystem;
  beforeEach(async () => {
    system = await startTaskSystem({ messagesPerHour: 200 });
  });
  afterEach(async () => {
    await system.stop();
    system.remove();
  });

  it('[S1] [H5] has the task and its message on disk before the computer hears of the job', async () => {
    let stored: [Task | undefined, unknown] = [undefined, undefined];
    system.executor.onSubmit = async (order) => {
      const found = await system.store.find(SCOPE, order.taskId, Date.now());
      stored = [found, await system.store.history(order.taskId)];
      return { kind: 'accepted', report: report(order.taskId, 'working', 1) };
    };
    const request = sending();
    const task = await system.send.execute(request);
    expect(stored).toEqual([expect.objectContaining({ id: task.id, state: 'submitted' }), [request.message]]);
    expect(task.state).toBe('working');
    expect(system.executor.orders).toEqual([
      {
        taskId: task.id,
        computerId: COMPUTER,
        handle: 'desk',
        contextId: task.contextId,
        accountId: 'ada',
        interactive: false,
        message: { messageId: request.message.messageId, text: messageText(request.message) },
        createdAtMs: task.createdAtMs,
        expiresAtMs: task.expiresAtMs,
      },
    ]);
  });

  it('[S2] answers with what the submission told, a finished job included', async () => {
    system.executor.onSubmit = ({ taskId }) => ({
      kind: 'accepted',
      report: report(taskId, 'completed', 1, { reply: 'Hi' }),
    });
    expect(await system.send.execute(sending())).toMatchObject({ state: 'completed', reply: 'Hi' });
  });

  it('[S5] [B67] makes one task and one job of fifty copies at once, waiting and not', async () => {
    const submitted = gate();
    system.executor.onSubmit = async ({ taskId }) => {
      await submitted.passed;
      return { kind: 'accepted', report: report(taskId, 'completed', 1, { reply: 'Hi' }) };
    };
    const request = sending();
    const copies = Array.from({ length: 50 }, (_, n) =>
      system.send.execute({ ...request, returnImmediately: n % 2 === 0 }),
    );
    await eventually(() => system.executor.orders.length > 0);
    submitted.open();
    const tasks = await Promise.all(copies);
    expect(new Set(tasks.map((task) => task.id)).size).toBe(1);
    expect(new Set(tasks.map((task) => task.state))).toEqual(new Set(['completed']));
    expect(system.executor.orders).toHaveLength(1);
    expect(await count(system)).toBe(1);
  });

  it('[S5] [B65] gives a later copy the same task, whatever its own messageId and wait options', async () => {
    const request = sending({ retryKey: 'k', retryKeyField: 'Idempotency-Key' });
    const first = await system.send.execute(request);
    system.executor.available = false;
    const message = { ...request.message, messageId: 'another' };
    expect((await system.send.execute({ ...request, message })).id).toBe(first.id);
  });

  it.each([
    ['text', { parts: [{ text: 'Bye' }] }],
    ['metadata', { metadata: { a: 1 } }],
    ['role', { role: 'agent' as const }],
  ])('[S5] refuses a known key with another %s and names the key', async (_, change) => {
    const request = sending();
    await system.send.execute(request);
    const sent = system.send.execute({ ...request, message: { ...request.message, ...change } });
    await expect(sent).rejects.toMatchObject({
      code: -32602,
      violations: [{ field: 'message.messageId', description: expect.any(String) }],
    });
  });

  it('[S5] takes the order of keys for no difference, and the context as sent for one', async () => {
    const request = sending({ retryKeyField: 'Idempotency-Key' });
    const message = (metadata: object) => ({ ...request.message, metadata: { ...metadata } });
    const first = await system.send.execute({ ...request, message: message({ a: 1, b: { c: 2, d: 3 } }) });
    const again = await system.send.execute({ ...request, message: message({ b: { d: 3, c: 2 }, a: 1 }) });
    expect(again.id).toBe(first.id);
    const elsewhere = {
      ...request,
      message: message({ a: 1, b: { c: 2, d: 3 } }),
      contextId: first.contextId,
    };
    await expect(system.send.execute(elsewhere)).rejects.toMatchObject({
      violations: [{ field: 'Idempotency-Key', description: expect.any(String) }],
    });
  });

  it('[B20] refuses metadata nested past all sense', async () => {
    let metadata: Record<string, unknown> = {};
    for (let depth = 0; depth < 30_000; depth += 1) metadata = { a: metadata };
    const request = sending();
    const sent = system.send.execute({ ...request, message: { ...request.message, metadata } });
    await expect(sent).rejects.toBeInstanceOf(InvalidParamsError);
    expect(await count(system)).toBe(0);
  });

  it('[S6] goes on in a known context and refuses an unknown one', async () => {
    const first = await system.send.execute(sending());
    const second = await system.send.execute(sending({ contextId: first.contextId }));
    expect([second.contextId, second.id === first.id]).toEqual([first.contextId, false]);
    await expect(system.send.execute(sending({ contextId: 'nowhere' }))).rejects.toMatchObject({
      violations: [{ field: 'message.contextId', description: expect.any(String) }],
    });
  });

  it('[S8] keeps nothing when the computer is offline', async () => {
    system.executor.available = false;
    await expect(system.send.execute(sending())).rejects.toBeInstanceOf(UnavailableFailure);
    expect([system.executor.orders.length, await count(system)]).toEqual([0, 0]);
  });

  it('[S8] keeps nothing when the job is refused, tells the copies so, and takes the message again', async () => {
    const answer = gate();
    system.executor.onSubmit = async () => {
      await answer.passed;
      return { kind: 'refused', reason: 'queue_full' };
    };
    const request = sending();
    const first = system.send.execute(request);
    await eventually(() => system.executor.orders.length === 1);
    const copy = system.send.execute(request);
    answer.open();
    const outcomes = await Promise.allSettled([first, copy]);
    expect(outcomes).toEqual(
      outcomes.map(() => ({ status: 'rejected', reason: expect.any(UnavailableFailure) })),
    );
    expect(await count(system)).toBe(0);
    system.executor.onSubmit = ({ taskId }) => ({ kind: 'accepted', report: report(taskId, 'working', 1) });
    expect((await system.send.execute(request)).state).toBe('working');
  });

  it('[S8] leaves a task submitted when the hand-over is uncertain, and never sends it again', async () => {
    system.executor.onSubmit = () => ({ kind: 'uncertain' });
    const request = sending();
    const first = await system.send.execute(request);
    const again = await system.send.execute(request);
    expect([first.state, again.id, system.executor.orders.length]).toEqual(['submitted', first.id, 1]);
  });

  it('[S9] [B63] accepts exactly 200 of 250 parallel messages, and retries stay free', async () => {
    const requests = Array.from({ length: 250 }, () => sending());
    const outcomes = await Promise.allSettled(requests.map((request) => system.send.execute(request)));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(50);
    expect(refused[0]?.reason).toBeInstanceOf(TooManyRequestsFailure);
    expect(refused[0]?.reason.retryAfterSeconds).toBeGreaterThan(3500);
    expect([await count(system), system.executor.orders.length]).toEqual([200, 200]);
    const known = requests[outcomes.findIndex((outcome) => outcome.status === 'fulfilled')];
    expect(await system.send.execute(known ?? sending())).toMatchObject({ accountId: 'ada' });
  });
});

describe('SendMessage that waits', () => {
  let system: TaskSystem;
  const waiting = (change = {}) => sending({ returnImmediately: false, ...change });
  beforeEach(async () => {
    system = await startTaskSystem();
  });
  afterEach(async () => {
    await system.stop();
    system.remove();
  });

  it('[S3] [B87] misses no job, however soon it ends after its submission', async () => {
    system.executor.onSubmit = ({ taskId }) => {
      setImmediate(() => void system.reports.take(COMPUTER, report(taskId, 'completed', 2, { reply: 'Hi' })));
      return { kind: 'accepted', report: report(taskId, 'working', 1) };
    };
    const tasks = await Promise.all(Array.from({ length: 200 }, () => system.send.execute(waiting())));
    expect(new Set(tasks.map((task) => `${task.state} ${task.reply}`))).toEqual(new Set(['completed Hi']));
    expect([system.events.listenerCount, system.waits.waiting]).toEqual([0, 0]);
  });

  it('[B87] takes a result that comes before the answer to the submission', async () => {
    system.executor.onSubmit = async ({ taskId }) => {
      await system.reports.take(COMPUTER, report(taskId, 'completed', 2, { reply: 'Hi' }));
      return { kind: 'accepted', report: report(taskId, 'working', 1) };
    };
    expect(await system.send.execute(waiting())).toMatchObject({ state: 'completed', reply: 'Hi' });
  });

  it('[S3] reads the database once, and ends with the event', async () => {
    const find = jest.spyOn(system.store, 'find');
    const sent = system.send.execute(waiting());
    await eventually(() => find.mock.calls.length > 0 && system.events.listenerCount === 1);
    const taskId = system.executor.orders[0]?.taskId ?? '';
    await system.reports.take(COMPUTER, report(taskId, 'working', 2));
    await system.reports.take(COMPUTER, report(taskId, 'completed', 3));
    expect((await sent).state).toBe('completed');
    expect(find).toHaveBeenCalledTimes(1);
  });

  it('[P6] ends the wait when the job asks for input', async () => {
    const sent = system.send.execute(waiting({ interactive: true }));
    await eventually(() => system.events.listenerCount === 1);
    const order = system.executor.orders[0];
    await system.reports.take(
      COMPUTER,
      report(order?.taskId ?? '', 'input_required', 2, { statusText: 'Sure?' }),
    );
    expect(await sent).toMatchObject({ state: 'input_required', statusText: 'Sure?' });
  });

  it('[S3] [B88] [B71] runs out of its budget with the task saved; a retry waits on with the same task', async () => {
    const request = waiting({ waitBudgetMs: 1 });
    const error: unknown = await system.send.execute(request).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(WaitTimeoutFailure);
    const taskId = system.executor.orders[0]?.taskId ?? '';
    expect((error as WaitTimeoutFailure).fields()).toEqual({ taskId, contextId: expect.any(String) });
    expect((error as WaitTimeoutFailure).message).toContain(taskId);
    const retry = system.send.execute({ ...request, waitBudgetMs: undefined });
    await eventually(() => system.events.listenerCount === 1);
    await system.reports.take(COMPUTER, report(taskId, 'completed', 2));
    expect(await retry).toMatchObject({ id: taskId, state: 'completed' });
    expect(system.executor.orders).toHaveLength(1);
  });

  it('[S3] [B86] [B110] ends when the client goes away, and the result is kept all the same', async () => {
    const client = new AbortController();
    const sent = system.send.execute(waiting({ signal: client.signal }));
    await eventually(() => system.events.listenerCount === 1);
    client.abort();
    const task = await sent;
    expect(system.events.listenerCount).toBe(0);
    await system.reports.take(COMPUTER, report(task.id, 'completed', 2, { reply: 'Hi' }));
    expect(await system.get.execute(SCOPE, task.id)).toMatchObject({ state: 'completed', reply: 'Hi' });
  });

  it('[R8] [B150] ends with 503 and the task id on shutdown, also for those that begin to wait then', async () => {
    const sent = system.send.execute(waiting());
    await eventually(() => system.events.listenerCount === 1);
    system.waits.endWaits();
    for (const wait of [sent, system.send.execute(waiting())]) {
      const error: unknown = await wait.catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(UnavailableFailure);
      expect((error as UnavailableFailure).fields()).toEqual({
        taskId: expect.any(String),
        contextId: expect.any(String),
      });
    }
  });
});
