import { EXECUTORS, type Script } from '../support/executors.js';
import type { TestApi } from '../support/test-api.js';
import { V03Client, message03, told } from '../support/v03-client.js';

const textsOf = (task: any): string[] =>
  task.history.map((message: any) => `${message.role}: ${message.parts[0].text}`);
const say = (text: string, members: object = {}) =>
  message03({ parts: [{ kind: 'text', text }], ...members });

describe.each(EXECUTORS)('a task that asks, %s', (_name, start) => {
  let api: TestApi;
  let daemon: Script;
  let client: V03Client;

  beforeEach(async () => {
    ({ api, daemon } = await start());
    client = new V03Client(api);
  });
  afterEach(() => api.close());

  const send = async (message: object) => (await client.rpc('message/send', { message })).body;
  const ask = (id: string, question: string) => daemon.report(id, 'input_required', { statusText: question });

  /** A task that has asked its first question. */
  async function asking(question = 'Send it?'): Promise<any> {
    const before = daemon.submissions.length;
    const answer = send(say('Write a letter'));
    await daemon.submitted(before + 1);
    await ask(daemon.submissions[before]?.jobId ?? '', question);
    return (await answer).result;
  }

  it('[P6] [P3] stops in input-required with the question as its status message', async () => {
    const task = await asking();
    expect(task.status).toEqual({
      state: 'input-required',
      timestamp: expect.any(String),
      message: {
        kind: 'message',
        messageId: expect.any(String),
        role: 'agent',
        parts: [{ kind: 'text', text: 'Send it?' }],
        taskId: task.id,
        contextId: task.contextId,
      },
    });
    expect(task.history.at(-1)).toEqual(task.status.message);
  });

  it('[P6] [B97] goes on with each answer, and keeps every turn in order, also over a restart', async () => {
    const { id, contextId } = await asking('To whom?');
    const second = send(say('To Ada', { taskId: id, contextId }));
    await answered(id, 1);
    await ask(id, 'Send it?');
    expect((await second).result).toMatchObject({ id, status: { state: 'input-required' } });
    const third = send(say('Yes', { taskId: id }));
    await answered(id, 2);
    await daemon.complete(id, 'Sent');
    const task = (await third).result;
    expect(task).toMatchObject({ id, status: { state: 'completed' }, artifacts: [{ name: 'response' }] });
    const turns = ['user: Write a letter', 'agent: To whom?', 'user: To Ada', 'agent: Send it?', 'user: Yes'];
    expect(textsOf(task)).toEqual(turns);
    expect(daemon.submissions).toHaveLength(1);
    expect(daemon.jobs.get(id)?.answers.map(({ text }) => text)).toEqual(['To Ada', 'Yes']);

    api = await api.restart();
    const read = (await new V03Client(api).rpc('tasks/get', { id })).body.result;
    expect(textsOf(read)).toEqual(turns);
  });

  /** Waits until the daemon has had so many answers for a job. */
  async function answered(id: string, count: number): Promise<void> {
    while ((daemon.jobs.get(id)?.answers.length ?? 0) < count)
      await new Promise((next) => setImmediate(next));
  }

  it('[P6] [P4] ends a stream with `final`; the answer opens the next one of the same task', async () => {
    const stream = await client.stream('message/stream', { message: say('Write') });
    const { id } = await stream.next();
    await ask(id, 'Send it?');
    const events = await stream.rest();
    expect(events.map(told).at(-1)).toBe('input-required final');
    expect(events.at(-1).status.message.parts).toEqual([{ kind: 'text', text: 'Send it?' }]);

    const next = await client.stream('message/stream', { message: say('Yes', { taskId: id }) });
    expect((await next.next()).id).toBe(id);
    await answered(id, 1);
    await daemon.complete(id, 'Sent');
    const rest = (await next.rest()).map(told);
    expect(rest.at(-1)).toBe('completed final');
    // In one piece, or in several of which the last one says so.
    const pieces = rest.filter((event) => /^[=+]/.test(event)).map((event) => event.slice(1));
    expect(pieces.join('')).toBe('Sent.');
    expect(rest).toContain('working');
  });

  it('[P6] refuses an answer in another context, to a task that is over, and to an unknown one', async () => {
    const { id } = await asking();
    const other = (
      await client.rpc('message/send', { message: say('Hi'), configuration: { blocking: false } })
    ).body.result;
    expect((await send(say('Yes', { taskId: id, contextId: other.contextId }))).error).toMatchObject({
      code: -32602,
      data: [{ fieldViolations: [{ field: 'message.contextId' }] }],
    });
    await daemon.complete(other.id);
    expect((await send(say('More', { taskId: other.id }))).error.code).toBe(-32004);
    expect((await send(say('More', { taskId: 'absent' }))).error.code).toBe(-32001);
    expect(daemon.jobs.get(id)?.answers).toEqual([]);
  });

  it('[B79] refuses a message for a task that runs, and starts no second run', async () => {
    const { id } = (
      await client.rpc('message/send', { message: say('Hi'), configuration: { blocking: false } })
    ).body.result;
    expect((await send(say('More', { taskId: id }))).error).toMatchObject({
      code: -32004,
      data: [{ reason: 'UNSUPPORTED_OPERATION' }],
    });
    const [event] = await client
      .stream('message/stream', { message: say('More', { taskId: id }) })
      .then(async (stream) => [await stream.answer()]);
    expect(event.error.code).toBe(-32004);
    await daemon.submitted(1);
    expect(daemon.submissions).toHaveLength(1);
  });

  it('[P6] [S5] a repeated answer is one answer', async () => {
    const { id } = await asking();
    const message = say('Yes', { taskId: id });
    const copies = [send(message), send(message), send(message)];
    await answered(id, 1);
    await daemon.complete(id, 'Sent');
    const states = (await Promise.all(copies)).map(({ result }) => [result.id, result.status.state]);
    expect(states).toEqual([
      [id, 'completed'],
      [id, 'completed'],
      [id, 'completed'],
    ]);
    expect(daemon.jobs.get(id)?.answers).toHaveLength(1);
  });

  it('[P6] can be canceled while it asks', async () => {
    const { id } = await asking();
    const { result } = (await client.rpc('tasks/cancel', { id })).body;
    expect(result.status.state).toBe('canceled');
  });
});
