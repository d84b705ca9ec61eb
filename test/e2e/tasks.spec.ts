import { ADDRESSES, TestApi, newMessage, until } from '../support/test-api.js';
import { refusal } from '../../src/relay-protocol/index.js';
import type { ScriptedDaemon } from '../support/scripted-daemon.js';

describe('GetTask', () => {
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
        return (await api.getTask(task.id)).id === task.id;
      }),
    );
    expect(found.every(Boolean)).toBe(true);
  });

  it('[G1] [B137] stays at the last known state when the computer is offline', async () => {
    const tower = await api.daemon({ token: 'rt_alice-tower-0123456789abcdef01234567890' });
    const task = await api.send({}, { address: ADDRESSES.tower });
    await tower.close();
    const offline = await api.getTask(task.id, { address: ADDRESSES.tower });
    expect(offline.status).toMatchObject({ state: 'TASK_STATE_WORKING' });
    expect(offline.metadata?.hello?.lastCheckedAt).toBeUndefined();
  });
});

describe('ListTasks', () => {
  let api: TestApi;
  let daemon: ScriptedDaemon;
  const list = async (params: object = {}, options: object = {}) =>
    (await api.rpc(ADDRESSES.helper, 'ListTasks', params, options)).body;
  const ids = (page: { result: { tasks: { id: string }[] } }) => page.result.tasks.map(({ id }) => id);

  beforeEach(async () => {
    api = await TestApi.start();
    daemon = await api.daemon();
  });
  afterEach(() => api.close());

  it('[G3] [B02] has all four members on an empty list', async () => {
    expect(await list()).toEqual({
      jsonrpc: '2.0',
      id: 'rpc-1',
      result: { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 },
    });
  });

  it('[G3] [B01] [B04] filters by state and context; unset and unspecified mean all', async () => {
    const [working, completed, canceled] = [await api.send(), await api.send(), await api.send()];
    await daemon.complete(completed.id);
    await daemon.report(canceled.id, 'canceled');
    for (const params of [{}, { status: 'TASK_STATE_UNSPECIFIED' }, { status: 0 }, { status: null }]) {
      expect(ids(await list(params)).sort()).toEqual([working.id, completed.id, canceled.id].sort());
    }
    expect(ids(await list({ status: 'TASK_STATE_WORKING' }))).toEqual([working.id]);
    expect((await list({ status: 3 })).result).toMatchObject({ totalSize: 1, tasks: [{ id: completed.id }] });
    expect(ids(await list({ contextId: canceled.contextId }))).toEqual([canceled.id]);
    expect((await list({ status: 'TASK_STATE_AUTH_REQUIRED' })).result).toMatchObject({
      totalSize: 0,
      tasks: [],
    });
  });

  it('[G3] [B08] statusTimestampAfter is inclusive to the millisecond', async () => {
    const task = await api.send();
    const { timestamp } = (await api.getTask(task.id)).status;
    const at = (ms: number) => new Date(Date.parse(timestamp) + ms).toISOString();
    expect(ids(await list({ statusTimestampAfter: `${timestamp.slice(0, 10)}T00:00:00Z` }))).toEqual([
      task.id,
    ]);
    expect(ids(await list({ statusTimestampAfter: at(0) }))).toEqual([task.id]);
    expect(await list({ statusTimestampAfter: at(1) })).toMatchObject({
      result: { tasks: [], totalSize: 0 },
    });
  });

  it('[G3] shows newest status first, artifacts only when asked', async () => {
    const [older, newer] = [await api.send(), await api.send()];
    await daemon.complete(older.id, 'reply');
    expect(ids(await list())).toEqual([older.id, newer.id]);
    expect((await list()).result.tasks[0]).not.toHaveProperty('artifacts');
    expect((await list({ includeArtifacts: true })).result.tasks[0].artifacts).toHaveLength(1);
  });

  it('[G3] [G4] [B99] walks every task once, with the total on every page and an empty last token', async () => {
    const sent = await Promise.all(Array.from({ length: 5 }, () => api.send()));
    const seen: string[] = [];
    let pageToken = '';
    do {
      const { result } = await list({ pageSize: 2, pageToken });
      expect(result).toMatchObject({ totalSize: 5, pageSize: 2 });
      seen.push(...result.tasks.map(({ id }: { id: string }) => id));
      pageToken = result.nextPageToken;
    } while (pageToken !== '');
    expect(seen.sort()).toEqual(sent.map(({ id }) => id).sort());
  });

  it('[G3] refuses a page token that was altered, or is used with another filter or by another caller', async () => {
    await Promise.all([api.send(), api.send(), api.send()]);
    const { nextPageToken } = (await list({ pageSize: 1 })).result;
    const altered = `${nextPageToken.slice(0, -2)}${nextPageToken.endsWith('AA') ? 'BB' : 'AA'}`;
    for (const answer of [
      await list({ pageSize: 1, pageToken: altered }),
      await list({ pageSize: 1, pageToken: 'nonsense' }),
      await list({ pageSize: 1, pageToken: nextPageToken, status: 'TASK_STATE_WORKING' }),
      await list({ pageSize: 1, pageToken: nextPageToken }, { account: 'acct-alice' }),
    ]) {
      expect(answer.error).toMatchObject({
        code: -32602,
        data: [{ fieldViolations: [{ field: 'pageToken' }] }],
      });
    }
    expect((await list({ pageSize: 1, pageToken: nextPageToken })).result.tasks).toHaveLength(1);
  });

  it.each([
    ['pageSize', 0, 101],
    ['historyLength', -1, 101],
    ['status', 'working', ''],
    ['statusTimestampAfter', '2026-02-30T00:00:00Z', ''],
  ])('[G3] [B07] [B102] refuses %s out of range', async (field, ...values) => {
    for (const value of values) {
      expect((await list({ [field]: value })).error).toMatchObject({
        code: -32602,
        data: [{ fieldViolations: [{ field }] }],
      });
    }
  });
});

describe('CancelTask', () => {
  let api: TestApi;
  let daemon: ScriptedDaemon;
  const cancel = (id: string, options?: object) => api.rpc(ADDRESSES.helper, 'CancelTask', { id }, options);
  const methods: Record<string, (params: unknown) => Promise<object>> = {};

  beforeEach(async () => {
    api = await TestApi.start({ RELAY_CANCEL_TIMEOUT_MS: '200' });
    daemon = await api.daemon({ methods: { ...methods } });
  });
  afterEach(async () => {
    delete methods['job.cancel'];
    await api.close();
  });
  const reconnect = async (answer: (params: unknown) => Promise<object>) => {
    await daemon.close();
    daemon = await api.daemon({ methods: { 'job.cancel': answer } });
  };

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
    await reconnect(() => new Promise(() => undefined));
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

  it('[B76] ends a wait at once', async () => {
    const message = newMessage();
    const waiting = api.rpc(ADDRESSES.helper, 'SendMessage', { message });
    await daemon.submitted(1);
    await cancel(daemon.submissions[0]!.jobId);
    expect((await waiting).body.result.task.status.state).toBe('TASK_STATE_CANCELED');
  });

  it('[G5] [B73] cancel raced with completion 200 times: one terminal state, and an answer that fits it', async () => {
    await api.close();
    api = await TestApi.start();
    daemon = await api.daemon();
    const tasks = await Promise.all(Array.from({ length: 200 }, () => api.send()));
    const answers = await Promise.all(
      tasks.map(async ({ id }, index) => {
        const finish = async () => {
          const job = daemon.jobs.get(id)!;
          if (job.state === 'running') await daemon.complete(id);
        };
        const [answer] =
          index % 2
            ? await Promise.all([cancel(id), finish()])
            : (await Promise.all([finish(), cancel(id)])).reverse();
        return answer as Awaited<ReturnType<typeof cancel>>;
      }),
    );
    await until('all updates to settle', async () =>
      [...daemon.jobs.values()].every(({ state }) => state !== 'running'),
    );
    for (const [index, { id }] of tasks.entries()) {
      const { state } = (await api.getTask(id)).status;
      const { body } = answers[index]!;
      expect(state).toBe(
        daemon.jobs.get(id)!.state === 'canceled' ? 'TASK_STATE_CANCELED' : 'TASK_STATE_COMPLETED',
      );
      if (state === 'TASK_STATE_CANCELED') expect(body.result.status.state).toBe(state);
      else expect(body).toMatchObject({ error: { code: -32002 } });
    }
  });
});

function now(): string {
  return new Date().toISOString();
}
