import { EXECUTORS, begun, type OnScriptedSubmit, type Script } from '../support/executors.js';
import { ADDRESSES, OTHER_RELAY_TOKEN, newMessage, until, type TestApi } from '../support/test-api.js';

const wait = { configuration: { returnImmediately: false } };

describe.each(EXECUTORS)('SendMessage, %s', (_name, start) => {
  let api: TestApi;
  let daemon: Script;
  const send = (params: object, options?: object) =>
    api.rpc(ADDRESSES.helper, 'SendMessage', params, options);
  const jobsOf = ({ messageId }: Record<string, unknown>) =>
    daemon.submissions.filter(({ message }) => message.messageId === messageId);
  const totalSize = async () => (await api.rpc(ADDRESSES.helper, 'ListTasks', {})).body.result.totalSize;
  const onSubmit = { run: undefined as undefined | OnScriptedSubmit };

  beforeAll(async () => {
    const environment = { A2A_WAIT_BUDGET_MS: '60000' };
    ({ api, daemon } = await start({ environment, onSubmit: (job, own) => onSubmit.run?.(job, own) }));
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
    await begun(daemon, task.id);
    expect(daemon.jobs.get(task.id)?.params).toMatchObject({
      jobId: task.id,
      agent: 'helper',
      contextId: task.contextId,
      message: { messageId: message['messageId'], metadata: { a: 1 } },
    });
  });

  it('[S1] has the task on disk when the daemon hears of the job', async () => {
    const seen = new Promise<any>((resolve) => {
      onSubmit.run = ({ params: { contextId } }) =>
        resolve(api.rpc(ADDRESSES.helper, 'ListTasks', { contextId }));
    });
    const task = await api.send();
    expect((await seen).body.result.tasks[0].id).toBe(task.id);
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

  it('[S3] [B86] a client that hangs up does not stop the task', async () => {
    const message = newMessage();
    const hangUp = new AbortController();
    const gone = send({ message }, { signal: hangUp.signal }).catch((error: Error) => error.name);
    await until('the job has begun', () => jobsOf(message).length === 1);
    hangUp.abort();
    expect(await gone).toBe('AbortError');
    const { jobId } = jobsOf(message)[0]!;
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
      await begun(daemon, second.id);
      expect(daemon.jobs.get(second.id)?.params).toMatchObject({ contextId: first.contextId });
    });

    it.each(['chat-1', '会話 1', '__proto__'])(
      '[S6] [B26] refuses the invented context %s and makes no task',
      async (contextId) => {
        const before = await totalSize();
        const message = newMessage({ contextId });
        const answer = await send({ message });
        expect(answer.body.error).toMatchObject({
          code: -32602,
          data: [{ fieldViolations: [{ field: 'message.contextId' }] }],
        });
        expect(await totalSize()).toBe(before);
        expect(jobsOf(message)).toEqual([]);
      },
    );

    it('[S7] [B79] [B82] [B83] takes no second message for a task', async () => {
      const running = await api.send();
      const done = await api.send();
      await daemon.complete(done.id);
      await begun(daemon, running.id);
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
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          send({ message, configuration: { returnImmediately: index % 2 === 0 } }),
        ),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(new Set(answers.map(({ body }) => body.result.task.id)).size).toBe(1);
      expect(jobsOf(message)).toHaveLength(1);
    });

    it('[S5] [B66] the same key at another destination is another task', async () => {
      const tower = await api.daemon({ token: OTHER_RELAY_TOKEN });
      const message = newMessage();
      const here = await api.send(message);
      const there = await api.send(message, { address: ADDRESSES.tower });
      expect(there.id).not.toBe(here.id);
      await tower.close();
    });
  });
});
