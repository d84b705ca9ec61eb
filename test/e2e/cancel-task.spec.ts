import { refusal } from '../../src/relay-protocol/index.js';
import { EXECUTORS, begun, type Script } from '../support/executors.js';
import type { ScriptedDaemon } from '../support/scripted-daemon.js';
import { ADDRESSES, TestApi, newMessage, until, type Answer } from '../support/test-api.js';

describe.each(EXECUTORS)('CancelTask, %s', (_name, start) => {
  let api: TestApi;
  let daemon: Script;
  const cancel = (id: string) => api.rpc(ADDRESSES.helper, 'CancelTask', { id });

  beforeAll(async () => {
    ({ api, daemon } = await start());
  });
  afterAll(() => api.close());

  it('[G5] [B77] answers canceled where the daemon said so, as GetTask does straight after', async () => {
    const task = await api.send();
    const canceled = await cancel(task.id);
    expect(canceled.body.result.status.state).toBe('TASK_STATE_CANCELED');
    expect((await api.getTask(task.id)).status).toEqual(canceled.body.result.status);
  });

  it('[G5] refuses a task in a terminal state with -32002', async () => {
    const task = await api.send();
    await daemon.complete(task.id);
    expect((await cancel(task.id)).body.error).toMatchObject({
      code: -32002,
      data: [{ reason: 'TASK_NOT_CANCELABLE' }],
    });
  });

  it('[B76] ends a wait at once', async () => {
    const message = newMessage();
    const waiting = api.rpc(ADDRESSES.helper, 'SendMessage', { message });
    const jobs = () => daemon.submissions.filter((job) => job.message.messageId === message['messageId']);
    await until('the job has begun', () => jobs().length === 1);
    await cancel(jobs()[0]!.jobId);
    expect((await waiting).body.result.task.status.state).toBe('TASK_STATE_CANCELED');
  });

  it('[G5] [B73] cancel raced with completion 200 times: one terminal state, and an answer that fits it', async () => {
    // No more at once than there are places in the process: each is to be at work.
    for (const together of [50, 50, 50, 50]) {
      const ids: string[] = (await Promise.all(Array.from({ length: together }, () => api.send()))).map(
        ({ id }) => id,
      );
      for (const id of ids) await begun(daemon, id);
      const answers = await Promise.all(ids.map((id, index) => raced(id, index % 2 === 1)));
      for (const [index, id] of ids.entries()) {
        const { state } = (await api.getTask(id)).status;
        expect(['TASK_STATE_CANCELED', 'TASK_STATE_COMPLETED']).toContain(state);
        const ended = state === 'TASK_STATE_CANCELED' ? 'canceled' : 'succeeded';
        expect(daemon.endOf?.(id) ?? ended).toBe(ended);
        const { body } = answers[index]!;
        if (ended === 'canceled') expect(body.result.status.state).toBe(state);
        else expect(body).toMatchObject({ error: { code: -32002 } });
      }
    }
  });

  /** Both at once. @returns the answer to the cancel */
  async function raced(id: string, cancelFirst: boolean): Promise<Answer> {
    const finish = async () => {
      if (daemon.isAtWork(id)) await daemon.complete(id);
    };
    if (cancelFirst) return (await Promise.all([cancel(id), finish()]))[0];
    return (await Promise.all([finish(), cancel(id)]))[1];
  }
});

describe('CancelTask and the computer', () => {
  let api: TestApi;
  let daemon: ScriptedDaemon;
  const cancel = (id: string, options?: object) => api.rpc(ADDRESSES.helper, 'CancelTask', { id }, options);

  beforeEach(async () => {
    api = await TestApi.start();
    daemon = await api.daemon();
  });
  afterEach(() => api.close());
  const reconnect = async (answer: (params: unknown) => Promise<object>) => {
    await daemon.close();
    daemon = await api.daemon({ methods: { 'job.cancel': answer } });
  };

  it('[G5] answers a job that is still stopping as working, with the time of the request', async () => {
    await reconnect(async (params) => {
      const { jobId } = params as { jobId: string };
      const job = daemon.jobs.get(jobId)!;
      job.revision += 1;
      return { jobId, state: 'running', revision: job.revision, updatedAt: now() };
    });
    const task = await api.send();
    const answer = await cancel(task.id);
    expect(answer.body.result).toMatchObject({
      status: { state: 'TASK_STATE_WORKING' },
      metadata: { hello: { cancelRequestedAt: expect.stringMatching(/Z$/) } },
    });
    await daemon.report(task.id, 'canceled');
    await daemon.report(task.id, 'failed', { statusText: 'aborted' }).catch(() => undefined);
    await daemon.report(task.id, 'succeeded', { reply: 'too late' }).catch(() => undefined);
    const after = await api.getTask(task.id);
    expect(after.status.state).toBe('TASK_STATE_CANCELED');
    expect(after).not.toHaveProperty('artifacts');
  });

  it('[G5] [B74] [B139] a late report after a cancel changes nothing, its time neither', async () => {
    const task = await api.send();
    const canceled = await cancel(task.id);
    await daemon.sendUpdate({
      jobId: task.id,
      state: 'failed',
      revision: 50,
      statusText: 'aborted',
      updatedAt: now(),
    });
    await daemon.sendUpdate({
      jobId: task.id,
      state: 'succeeded',
      revision: 51,
      reply: 'x',
      updatedAt: now(),
    });
    await daemon.sendUpdate({ jobId: task.id, state: 'running', revision: 52, updatedAt: now() });
    const after = await api.getTask(task.id);
    expect(after.status).toEqual(canceled.body.result.status);
    expect(after).not.toHaveProperty('artifacts');
  });

  it('[G5] [B76] says 503 when the daemon does not acknowledge, and does not pretend', async () => {
    api = await api.restart({ RELAY_CANCEL_TIMEOUT_MS: '200' });
    daemon = await api.daemon({ methods: { 'job.cancel': () => new Promise(() => undefined) } });
    const task = await api.send();
    expect((await cancel(task.id)).status).toBe(503);
    expect((await api.getTask(task.id)).status.state).toBe('TASK_STATE_WORKING');
  });

  it('[G5] [B76] [B136] says 503 when the computer is offline, and asks nobody later', async () => {
    const task = await api.send();
    await daemon.close();
    expect(await cancel(task.id)).toMatchObject({ status: 503, body: { error: expect.any(String) } });
    const back = await api.daemon();
    back.adopt(daemon);
    await back.complete(task.id);
    expect((await api.getTask(task.id)).status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('[G5] answers -32002 when the job had finished or is not known any more', async () => {
    const finished = await api.send();
    Object.assign(daemon.jobs.get(finished.id)!, { state: 'succeeded', revision: 7, reply: 'first' });
    expect((await cancel(finished.id)).body.error.code).toBe(-32002);
    expect((await api.getTask(finished.id)).artifacts[0].parts[0].text).toBe('first');
    const lost = await api.send();
    await reconnect(async () => {
      throw refusal('unknown_job', 'no such job');
    });
    expect((await cancel(lost.id)).body.error.code).toBe(-32002);
    expect((await api.getTask(lost.id)).status.state).toBe('TASK_STATE_FAILED');
  });
});

function now(): string {
  return new Date().toISOString();
}
