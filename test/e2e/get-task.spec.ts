import { EXECUTORS, atWork, type SeenJob, type Stage } from '../support/executors.js';
import type { ScriptedDaemon } from '../support/scripted-daemon.js';
import { ADDRESSES, OTHER_RELAY_TOKEN, TestApi, newMessage, until } from '../support/test-api.js';

const isOf = (message: Record<string, unknown>) => (job: SeenJob) =>
  job.message.messageId === message['messageId'];

describe.each(EXECUTORS)('GetTask, %s', (_name, start) => {
  let stage: Stage;
  let api: TestApi;
  beforeAll(async () => {
    stage = await start();
    ({ api } = stage);
  });
  afterAll(() => api.close());

  it('[G1] answers with the newest state and the time of the check', async () => {
    const { id } = await api.send();
    await atWork(api, id);
    const lastCheckedAt = expect.stringMatching(/Z$/);
    expect(await api.getTask(id)).toMatchObject({ metadata: { hello: { lastCheckedAt } } });
    await stage.daemon.complete(id, 'newest');
    expect(await api.getTask(id)).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ parts: [{ text: 'newest' }] }],
    });
  });

  it.each(['failed', 'rejected'] as const)('[G1] tells the end and its explanation: %s', async (state) => {
    const task = await api.send();
    await stage.daemon.report(task.id, state, { statusText: 'No paper.' });
    const { status } = await api.getTask(task.id);
    expect(status.state).toBe(`TASK_STATE_${state.toUpperCase()}`);
    expect(status.message.parts).toEqual([{ text: 'No paper.' }]);
  });

  it('[G2] [B94] [B96] historyLength absent is all, 0 none, n the last n; on send, get and list', async () => {
    const message = newMessage();
    const sent = await api.rpc(ADDRESSES.helper, 'SendMessage', {
      message,
      configuration: { returnImmediately: true, historyLength: 0 },
    });
    const { task } = sent.body.result;
    expect(task).not.toHaveProperty('history');
    expect((await api.getTask(task.id)).history).toHaveLength(1);
    expect(await api.getTask(task.id, { historyLength: 0 })).not.toHaveProperty('history');
    expect((await api.getTask(task.id, { historyLength: 1 })).history).toHaveLength(1);
    expect((await api.getTask(task.id, { historyLength: 100 })).history).toHaveLength(1);
    const list = await api.rpc(ADDRESSES.helper, 'ListTasks', {
      contextId: task.contextId,
      historyLength: 1,
    });
    expect(list.body.result.tasks[0].history).toHaveLength(1);
    const plain = await api.rpc(ADDRESSES.helper, 'ListTasks', { contextId: task.contextId });
    expect(plain.body.result.tasks[0]).not.toHaveProperty('history');
    expect(plain.body.result.tasks[0]).not.toHaveProperty('artifacts');
  });

  it.each([-1, 1.5, 'x', true, {}])('[G2] refuses historyLength %j', async (historyLength) => {
    const answer = await api.rpc(ADDRESSES.helper, 'GetTask', { id: 'x', historyLength });
    expect(answer.body.error).toMatchObject({
      code: -32602,
      data: [{ fieldViolations: [{ field: 'historyLength' }] }],
    });
  });

  it('[B93] finds every task that was just sent', async () => {
    const found = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const task = await api.send();
        expect((await api.getTask(task.id)).id).toBe(task.id);
        return task.id as string;
      }),
    );
    await Promise.all(found.map((id) => stage.daemon.complete(id)));
  });

  it('[R8] tells who waits at a stop of the task, which is there after it as was told', async () => {
    const message = newMessage();
    const waiting = api.rpc(ADDRESSES.helper, 'SendMessage', { message });
    await until('the job has begun', () => stage.daemon.submissions.some(isOf(message)));
    const { jobId } = stage.daemon.submissions.find(isOf(message))!;
    stage = await stage.restart();
    ({ api } = stage);
    const { status, body } = await waiting;
    const { status: after } = await api.getTask(jobId);
    // What runs in the process ends with it, and so does its task before the wait for it.
    if (status === 503) expect([body.taskId, after.state]).toEqual([jobId, 'TASK_STATE_WORKING']);
    else
      expect(body.result.task).toMatchObject({ id: jobId, status: { ...after, state: 'TASK_STATE_FAILED' } });
  });

  it('[S1] [K4] answers what has ended before a restart as it was', async () => {
    const task = await api.send();
    await stage.daemon.complete(task.id, 'kept');
    const before = await api.getTask(task.id);
    stage = await stage.restart();
    ({ api } = stage);
    expect(await api.getTask(task.id)).toEqual(before);
  });
});

/** What the computer alone knows, it cannot tell while it is away. */
describe('GetTask and the computer', () => {
  let api: TestApi;
  let daemon: ScriptedDaemon;
  beforeAll(async () => {
    api = await TestApi.start();
    daemon = await api.daemon();
  });
  afterAll(() => api.close());

  it('[G1] asks the computer and answers with the newest state and the time of the check', async () => {
    const task = await api.send();
    Object.assign(daemon.jobs.get(task.id)!, { state: 'succeeded', revision: 9, reply: 'only by asking' });
    const got = await api.getTask(task.id);
    expect(got).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ parts: [{ text: 'only by asking' }] }],
      metadata: { hello: { lastCheckedAt: expect.stringMatching(/Z$/) } },
    });
  });

  it('[G1] answers a terminal task from the store alone', async () => {
    const task = await api.send();
    await daemon.complete(task.id);
    daemon.jobs.delete(task.id);
    expect(await api.getTask(task.id)).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
  });

  it('[G1] [R5] [B85] fails a task whose job the computer does not know, and replays nothing', async () => {
    const task = await api.send();
    daemon.jobs.delete(task.id);
    const got = await api.getTask(task.id);
    expect(got.status).toMatchObject({ state: 'TASK_STATE_FAILED', message: { role: 'ROLE_AGENT' } });
    expect(daemon.submissions.filter(({ jobId }) => jobId === task.id)).toHaveLength(1);
    const next = await api.send();
    await daemon.complete(next.id);
    expect((await api.getTask(next.id)).status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('[G1] [B137] stays at the last known state when the computer is offline', async () => {
    const tower = await api.daemon({ token: OTHER_RELAY_TOKEN });
    const task = await api.send({}, { address: ADDRESSES.tower });
    await tower.close();
    const offline = await api.getTask(task.id, { address: ADDRESSES.tower });
    expect(offline.status).toMatchObject({ state: 'TASK_STATE_WORKING' });
    expect(offline.metadata?.hello?.lastCheckedAt).toBeUndefined();
  });
});
