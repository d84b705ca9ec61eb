import { EXECUTORS, type Script } from '../support/executors.js';
import { ADDRESSES, newMessage, type TestApi } from '../support/test-api.js';
import { V03Client, message03 } from '../support/v03-client.js';

describe.each(EXECUTORS)('the promises of a task, %s', (_name, start) => {
  let api: TestApi;
  let daemon: Script;
  const call = (method: string, params: object, options?: object) =>
    api.rpc(ADDRESSES.helper, method, params, options);

  beforeAll(async () => {
    ({ api, daemon } = await start());
  });
  afterAll(() => api.close());

  it('[S3] [S10] waits for the end and answers one artifact', async () => {
    const before = daemon.submissions.length;
    const answer = call('SendMessage', { message: newMessage() });
    await daemon.submitted(before + 1);
    await daemon.complete(daemon.submissions[before]?.jobId ?? '', 'Hi there');
    const { task } = (await answer).body.result;
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(task.artifacts).toEqual([
      { artifactId: `${task.id}-reply`, name: 'Reply', parts: [{ text: 'Hi there' }] },
    ]);
  });

  it('[S5] makes one task and one job of many copies', async () => {
    const before = daemon.submissions.length;
    const message = newMessage();
    const send = () => call('SendMessage', { message, configuration: { returnImmediately: true } });
    const answers = await Promise.all([send(), send(), send(), send()]);
    const ids = new Set(answers.map(({ body }) => body.result.task.id));
    expect(ids.size).toBe(1);
    await daemon.submitted(before + 1);
    await daemon.complete([...ids][0]);
    expect((await send()).body.result.task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(daemon.submissions).toHaveLength(before + 1);
  });

  it('[S10] cuts a reply that is too long and says so', async () => {
    const task = await api.send();
    await daemon.complete(task.id, '😀'.repeat(100_001));
    const [reply] = (await api.getTask(task.id)).artifacts;
    expect([...reply.parts[0].text]).toHaveLength(100_000);
    expect(JSON.stringify(reply.metadata)).toMatch(/true/);
  });

  it.each(['failed', 'rejected'] as const)('[G1] tells the end and its explanation: %s', async (state) => {
    const task = await api.send();
    await daemon.report(task.id, state, { statusText: 'No paper.' });
    const { status } = await api.getTask(task.id);
    expect(status.state).toBe(`TASK_STATE_${state.toUpperCase()}`);
    expect(status.message.parts).toEqual([{ text: 'No paper.' }]);
  });

  it('[H4] [G3] shows a task to its account alone', async () => {
    const task = await api.send();
    const foreign = await call('GetTask', { id: task.id }, { account: 'acct-alice' });
    expect(foreign.body.error.code).toBe(-32001);
    const list = async (account: string) =>
      (await call('ListTasks', {}, { account })).body.result.tasks.map(({ id }: { id: string }) => id);
    expect(await list('acct-bob')).toContain(task.id);
    expect(await list('acct-alice')).toEqual([]);
  });

  it('[G5] cancels once, and the end stays as it is', async () => {
    const task = await api.send();
    const canceled = await call('CancelTask', { id: task.id });
    expect(canceled.body.result.status.state).toBe('TASK_STATE_CANCELED');
    expect((await call('CancelTask', { id: task.id })).body.error.code).toBe(-32002);
    expect((await api.getTask(task.id)).status).toEqual(canceled.body.result.status);
  });

  it('[P4] streams what is made, and then the whole', async () => {
    const client = new V03Client(api);
    const stream = await client.stream('message/stream', { message: message03() });
    const { id } = await stream.next();
    daemon.delta(id, 0, 'One ');
    await daemon.complete(id, 'One two');
    const events = await stream.rest();
    expect(events.at(-1)).toMatchObject({ final: true, status: { state: 'completed' } });
    const { result } = (await client.rpc('tasks/get', { id })).body;
    expect(result.artifacts[0].parts).toEqual([{ kind: 'text', text: 'One two' }]);
  });

  it('[S1] [K4] keeps what has ended over a restart', async () => {
    const task = await api.send();
    await daemon.complete(task.id, 'kept');
    const before = await api.getTask(task.id);
    api = await api.restart();
    expect(await api.getTask(task.id)).toEqual(before);
  });
});
