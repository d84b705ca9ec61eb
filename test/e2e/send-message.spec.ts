import { ADDRESSES, TestApi, newMessage, until } from '../support/test-api.js';
import type { OnSubmit, ScriptedDaemon } from '../support/scripted-daemon.js';

const wait = { configuration: { returnImmediately: false } };

describe('SendMessage', () => {
  let api: TestApi;
  let daemon: ScriptedDaemon;
  const send = (params: object, options?: object) =>
    api.rpc(ADDRESSES.helper, 'SendMessage', params, options);
  const onSubmit = { run: undefined as undefined | OnSubmit };

  beforeAll(async () => {
    api = await TestApi.start({ A2A_WAIT_BUDGET_MS: '400' });
    daemon = await api.daemon({ onSubmit: (job, own) => onSubmit.run?.(job, own) });
  });
  afterEach(() => (onSubmit.run = undefined));
  afterAll(() => api.close());

  it('[S1] [S2] [B03] answers with result.task, its message stored, without waiting', async () => {
    const message = newMessage({ metadata: { a: 1 } });
    const answer = await send({ message, configuration: { returnImmediately: true } });
    const { task } = answer.body.result;
    expect(Object.keys(answer.body.result)).toEqual(['task']);
    expect(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING']).toContain(task.status.state);
    expect(task.history).toEqual([{ ...message, contextId: task.contextId, taskId: task.id }]);
    expect(daemon.jobs.get(task.id)?.params).toMatchObject({
      jobId: task.id,
      agent: 'helper',
      contextId: task.contextId,
      message: { messageId: message['messageId'], metadata: { a: 1 } },
    });
  });

  it('[S1] has the task on disk when the daemon hears of the job', async () => {
    let seen: Promise<any> | undefined;
    onSubmit.run = (job) => {
      seen = api.rpc(ADDRESSES.helper, 'ListTasks', { contextId: job.params.contextId });
    };
    const task = await api.send();
    expect((await seen)?.body.result.tasks[0].id).toBe(task.id);
  });

  it('[S2] [B78] answers with the state that is known: already completed', async () => {
    onSubmit.run = (job, own) => own.complete(job.params.jobId, 'quick');
    const answer = await send({ message: newMessage(), configuration: { returnImmediately: true } });
    expect(answer.body.result.task).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ parts: [{ text: 'quick' }] }],
    });
  });

  it('[S3] [S10] [B78] waits for the reply, which is one artifact', async () => {
    onSubmit.run = (job, own) => void setImmediate(() => void own.complete(job.params.jobId, 'the reply'));
    const answer = await send({ message: newMessage() });
    const { task } = answer.body.result;
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(task.artifacts).toEqual([
      { artifactId: `${task.id}-reply`, name: 'Reply', parts: [{ text: 'the reply' }] },
    ]);
  });

  it('[B87] misses no result that is faster than the waiter', async () => {
    onSubmit.run = (job, own) => own.complete(job.params.jobId, 'fast');
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => send({ message: newMessage(), ...wait })),
    );
    const states = answers.map(({ body, status }) => body.result?.task.status.state ?? status);
    expect(new Set(states)).toEqual(new Set(['TASK_STATE_COMPLETED']));
  });

  it('[S3] [B38] [B88] answers 504 with the saved task past the budget, and the work goes on', async () => {
    const answer = await send({ message: newMessage() });
    expect(answer.status).toBe(504);
    const { taskId, contextId, error } = answer.body;
    expect(error).toContain(taskId);
    expect(Object.keys(answer.body).sort()).toEqual(['contextId', 'error', 'taskId']);
    const before = await api.getTask(taskId);
    expect(before).toMatchObject({ contextId, status: { state: 'TASK_STATE_WORKING' } });
    await daemon.complete(taskId, 'late');
    expect((await api.getTask(taskId)).artifacts[0].parts).toEqual([{ text: 'late' }]);
  });

  it('[S5] [B65] [B71] a retry after the time-out waits on the same task and starts nothing', async () => {
    const message = newMessage();
    const first = await send({ message });
    expect(first.status).toBe(504);
    const before = daemon.submissions.length;
    const retries = [send({ message }), send({ message })];
    await daemon.complete(first.body.taskId, 'at last');
    for (const retry of await Promise.all(retries)) {
      expect(retry.body.result.task).toMatchObject({
        id: first.body.taskId,
        status: { state: 'TASK_STATE_COMPLETED' },
      });
    }
    expect(daemon.submissions).toHaveLength(before);
  });

  it('[S3] [B86] a client that hangs up does not stop the task', async () => {
    const message = newMessage();
    const hangUp = new AbortController();
    const before = daemon.submissions.length;
    const gone = send({ message }, { signal: hangUp.signal }).catch((error: Error) => error.name);
    await daemon.submitted(before + 1);
    hangUp.abort();
    expect(await gone).toBe('AbortError');
    const { jobId } = daemon.submissions[before]!;
    await daemon.complete(jobId, 'for nobody');
    expect(await api.getTask(jobId)).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
  });

  it.each([
    ['shorter', 100_000, 100_000, undefined],
    ['longer', 100_001, 100_000, { hello: { truncated: true } }],
  ])('[S10] cuts a reply %s than 100,000 characters at a character', async (_, length, kept, metadata) => {
    const task = await api.send();
    await daemon.complete(task.id, '😀'.repeat(length));
    const [artifact] = (await api.getTask(task.id)).artifacts;
    expect([...artifact.parts[0].text]).toHaveLength(kept);
    expect(artifact.metadata).toEqual(metadata);
  });

  describe('contexts', () => {
    it('[S6] continues a known context with a new task', async () => {
      const first = await api.send();
      const second = await api.send({ contextId: first.contextId });
      expect(second.contextId).toBe(first.contextId);
      expect(second.id).not.toBe(first.id);
      const last = daemon.submissions.at(-1);
      expect(last).toMatchObject({ jobId: second.id, contextId: first.contextId });
    });

    it.each(['chat-1', '会話 1', '__proto__'])(
      '[S6] [B26] refuses the invented context %s and makes no task',
      async (contextId) => {
        const before = daemon.submissions.length;
        const answer = await send({ message: newMessage({ contextId }) });
        expect(answer.body.error).toMatchObject({
          code: -32602,
          data: [{ fieldViolations: [{ field: 'message.contextId' }] }],
        });
        expect(daemon.submissions).toHaveLength(before);
      },
    );

    it('[S7] [B79] [B82] [B83] takes no second message for a task', async () => {
      const running = await api.send();
      const done = await api.send();
      await daemon.complete(done.id);
      const code = async (message: object) => (await send({ message: newMessage(message) })).body.error.code;
      const before = daemon.submissions.length;
      expect(await code({ taskId: running.id })).toBe(-32004);
      expect(await code({ taskId: done.id })).toBe(-32004);
      expect(await code({ taskId: running.id, contextId: running.contextId })).toBe(-32004);
      expect(await code({ taskId: running.id, contextId: done.contextId })).toBe(-32602);
      expect(await code({ taskId: 'invented' })).toBe(-32001);
      expect(daemon.submissions).toHaveLength(before);
    });
  });

  describe('retry keys', () => {
    const repeat = async (message: object, options?: object) =>
      (await send({ message, configuration: { returnImmediately: true } }, options)).body;

    it('[S5] the same message is the same task, with other options too', async () => {
      const message = newMessage({ metadata: { b: 1, a: [1, 2] } });
      const first = await repeat(message);
      const again = await send({
        message: { ...message, metadata: { a: [1, 2], b: 1 } },
        configuration: { returnImmediately: true, historyLength: 0 },
      });
      expect(again.body.result.task.id).toBe(first.result.task.id);
      expect(again.body.result.task).not.toHaveProperty('history');
    });

    it.each([
      { parts: [{ text: 'other' }] },
      { parts: [{ text: 'hi' }, { text: 'x' }] },
      { metadata: { a: 1 } },
    ])('[S5] other content under a used key is -32602: %j', async (change) => {
      const message = newMessage({ parts: [{ text: 'hi' }] });
      await repeat(message);
      const refused = await repeat({ ...message, ...change });
      expect(refused.error).toMatchObject({
        code: -32602,
        data: [{ fieldViolations: [{ field: 'message.messageId' }] }],
      });
    });

    it('[S5] the header is the key before the messageId', async () => {
      const key = { headers: { 'Idempotency-Key': `key-${Date.now()}` } };
      const message = newMessage();
      const first = await repeat(message, key);
      const renamed = await repeat({ ...message, messageId: 'another' }, key);
      expect(renamed.result.task.id).toBe(first.result.task.id);
      const changed = await repeat({ ...message, parts: [{ text: 'changed' }] }, key);
      expect(changed.error).toMatchObject({
        code: -32602,
        data: [{ fieldViolations: [{ field: 'Idempotency-Key' }] }],
      });
    });

    it('[S5] [B67] 50 parallel copies, waiting and not, are one task and one job', async () => {
      onSubmit.run = (job, own) => void setImmediate(() => void own.complete(job.params.jobId));
      const message = newMessage();
      const before = daemon.submissions.length;
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          send({ message, configuration: { returnImmediately: index % 2 === 0 } }),
        ),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(new Set(answers.map(({ body }) => body.result.task.id)).size).toBe(1);
      expect(daemon.submissions).toHaveLength(before + 1);
    });

    it('[S5] [B66] the same key at another destination is another task', async () => {
      const tower = await api.daemon({ token: 'rt_alice-tower-0123456789abcdef01234567890' });
      const message = newMessage();
      const here = await api.send(message);
      const there = await api.send(message, { address: ADDRESSES.tower });
      expect(there.id).not.toBe(here.id);
      await tower.close();
    });
  });

  describe('a computer that cannot take the job', () => {
    it('[S8] is offline: 503, nothing is kept, and the same message can be sent again', async () => {
      const message = newMessage();
      const params = { message, configuration: { returnImmediately: true } };
      const refused = await api.rpc(ADDRESSES.tower, 'SendMessage', params);
      expect(refused).toMatchObject({ status: 503, body: { error: expect.any(String) } });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect((await api.rpc(ADDRESSES.tower, 'ListTasks', {})).body.result.totalSize).toBe(1);
      const tower = await api.daemon({ token: 'rt_alice-tower-0123456789abcdef01234567890' });
      expect((await api.rpc(ADDRESSES.tower, 'SendMessage', params)).body.result.task.id).toBeDefined();
      await tower.close();
    });

    it('[S8] [R2] does not speak durable-a2a-v1: 503', async () => {
      const old = await api
        .daemon({ token: 'rt_alice-tower-0123456789abcdef01234567890', capabilities: ['other'] })
        .catch(() => undefined);
      const answer = await api.rpc(ADDRESSES.tower, 'SendMessage', { message: newMessage() });
      expect(answer.status).toBe(503);
      await old?.close();
    });

    it('[S8] cuts the link while it takes the job: the task stays, and is never sent again', async () => {
      const tower = await api.daemon({
        token: 'rt_alice-tower-0123456789abcdef01234567890',
        onSubmit: (_, own) => own.socket.terminate(),
      });
      const message = newMessage();
      const task = await api.send(message, { address: ADDRESSES.tower });
      expect(task.status.state).toBe('TASK_STATE_SUBMITTED');
      expect((await api.send(message, { address: ADDRESSES.tower })).id).toBe(task.id);
      expect(tower.submissions).toHaveLength(1);
      const back = await ((): Promise<ScriptedDaemon> =>
        api.daemon({ token: 'rt_alice-tower-0123456789abcdef01234567890' }))();
      await until('the unknown job to fail', async () => {
        const now = await api.getTask(task.id, { address: ADDRESSES.tower });
        return now.status.state === 'TASK_STATE_FAILED' && now.status.message.parts[0].text.length > 0;
      });
      expect(back.submissions).toHaveLength(0);
      await back.close();
    });
  });
});

describe('messages an hour', () => {
  it('[S9] [B63] takes exactly 200 of 250 parallel messages, over all destinations, and remembers after a restart', async () => {
    let api = await TestApi.start({ A2A_MESSAGES_PER_HOUR: '200' });
    await api.daemon();
    const params = () => ({ message: newMessage(), configuration: { returnImmediately: true } });
    const known = params();
    const answers = await Promise.all([
      api.rpc(ADDRESSES.helper, 'SendMessage', known),
      ...Array.from({ length: 249 }, () => api.rpc(ADDRESSES.helper, 'SendMessage', params())),
    ]);
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(200);
    expect(refused).toHaveLength(50);
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(3000);
    expect((await api.rpc(ADDRESSES.helper, 'ListTasks', {})).body.result.totalSize).toBe(200);

    api = await api.restart();
    await api.daemon();
    expect((await api.rpc(ADDRESSES.helper, 'SendMessage', params())).status).toBe(429);
    expect((await api.rpc(ADDRESSES.helper, 'SendMessage', params(), { account: 'acct-alice' })).status).toBe(
      200,
    );
    const retry = await api.rpc(ADDRESSES.helper, 'SendMessage', known);
    expect(retry.status).toBe(answers[0]?.status === 200 ? 200 : 429);
    await api.close();
  });
});
