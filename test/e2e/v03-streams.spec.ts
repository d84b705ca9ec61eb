import { EXECUTORS, type OnScriptedSubmit, type Script } from '../support/executors.js';
import { API_KEY, PUBLISHED, TestApi } from '../support/test-api.js';
import { V03Client, message03, told, type EventStream } from '../support/v03-client.js';

describe.each(EXECUTORS)('streams at the 0.3 endpoint, %s', (_name, start) => {
  let api: TestApi;
  let daemon: Script;
  let client: V03Client;
  /** What the daemon does with the next job. */
  let act: OnScriptedSubmit = () => undefined;

  beforeAll(async () => {
    ({ api, daemon } = await start({ onSubmit: (job, self) => act(job, self) }));
    client = new V03Client(api);
  });
  afterEach(() => {
    act = () => undefined;
  });
  afterAll(() => api.close());

  const open = (message: object = {}) => client.stream('message/stream', { message: message03(message) });

  it('[P4] [B111] answers with headers that let nothing hold events back', async () => {
    const stream = await open();
    expect(stream.response.statusCode).toBe(200);
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    });
    const task = await stream.next();
    await daemon.complete(task.id);
    await stream.rest();
  });

  it('[P4] [B116] begins with the task, shows output while it is made, and ends with `final`', async () => {
    const stream = await open();
    const task = await stream.next();
    expect(task).toMatchObject({
      kind: 'task',
      status: { state: 'submitted' },
      history: [{ kind: 'message', role: 'user', parts: [{ kind: 'text' }] }],
    });
    const ids = { taskId: task.id, contextId: task.contextId };
    const timestamp = expect.stringMatching(/Z$/);
    expect(await stream.next()).toEqual({
      kind: 'status-update',
      ...ids,
      status: { state: 'working', timestamp },
      final: false,
    });
    daemon.delta(task.id, 0, 'One ');
    const artifact = { artifactId: `${task.id}-reply`, name: 'response' };
    expect(await stream.next()).toEqual({
      kind: 'artifact-update',
      ...ids,
      artifact: { ...artifact, parts: [{ kind: 'text', text: 'One ' }] },
      append: false,
      lastChunk: false,
    });
    daemon.delta(task.id, 1, 'two');
    expect(told(await stream.next())).toBe('+two');
    await daemon.complete(task.id, 'One two three');
    const rest = await stream.rest();
    expect(pieces(rest)).toBe('+ three.');
    expect(rest.at(-2)).toEqual({
      kind: 'artifact-update',
      ...ids,
      artifact: { ...artifact, parts: [{ kind: 'text', text: expect.any(String) }] },
      append: true,
      lastChunk: true,
    });
    expect(rest.at(-1)).toEqual({
      kind: 'status-update',
      ...ids,
      status: { state: 'completed', timestamp },
      final: true,
    });
    expect(stream.text.split('\n').every((line) => /^(data: \{.*\}|: .*|)$/.test(line))).toBe(true);
  });

  it('[P4] [B113] everything that happens in one write comes in order, the end last', async () => {
    act = (job, self) => {
      const { jobId } = job.params;
      for (const [sequence, text] of ['a', 'b', 'c'].entries()) self.delta(jobId, sequence, text);
      void self.complete(jobId, 'abc');
    };
    const events = (await client.events('message/stream', { message: message03() })).map(told);
    expect(events[0]).toBe('task submitted');
    expect(events.at(-1)).toBe('completed final');
    const shown = events.filter((event) => /^[=+]/.test(event));
    expect(shown.join('').replace(/[=+.]/g, '')).toBe('abc');
    expect(events.filter((event) => event.includes('final'))).toHaveLength(1);
  });

  it('[P4] several readers of one task see the same, and one who comes late sees it from the start', async () => {
    const first = await open();
    const { id } = await first.next();
    const second = await client.stream('tasks/resubscribe', { id });
    await second.next();
    daemon.delta(id, 0, 'Hel');
    for (const stream of [first, second]) while (told(await stream.next()) !== '=Hel');
    const third = await client.stream('tasks/resubscribe', { id });
    daemon.delta(id, 1, 'lo');
    await daemon.complete(id, 'Hello');
    const [one, two, three] = await Promise.all([first.rest(), second.rest(), third.rest()]);
    expect(pieces(one)).toBe('+lo.');
    expect(told(one.at(-1))).toBe('completed final');
    expect(two).toEqual(one);
    expect(three.map(told)).toEqual(['task working', '=Hel', ...one.map(told)]);
  });

  it('[P4] a task that is over is shown, and the stream ends', async () => {
    const { id } = (
      await client.rpc('message/send', { message: message03(), configuration: { blocking: false } })
    ).body.result;
    await daemon.complete(id, 'Done');
    const events = await client.events('tasks/resubscribe', { id });
    expect(events.map(told)).toEqual(['task completed', 'completed final']);
    expect(events[0].artifacts[0].parts).toEqual([{ kind: 'text', text: 'Done' }]);
  });

  it('[P4] [S5] a repeated message joins the stream of its task', async () => {
    const message = message03();
    const first = await client.stream('message/stream', { message });
    const { id } = await first.next();
    const second = await client.stream('message/stream', { message });
    expect((await second.next()).id).toBe(id);
    await daemon.complete(id);
    expect((await second.rest()).map(told).at(-1)).toBe('completed final');
    expect((await first.rest()).map(told).at(-1)).toBe('completed final');
  });

  it('[P4] the history of the first event is as long as was asked for', async () => {
    const stream = await client.stream('message/stream', {
      message: message03(),
      configuration: { historyLength: 0 },
    });
    const task = await stream.next();
    expect(task).not.toHaveProperty('history');
    await daemon.complete(task.id);
    await stream.rest();
  });

  it.each([
    ['message/stream', {}, -32602],
    ['message/stream', { message: { role: 'user' } }, -32602],
    ['message/stream', ['x'], -32602],
    ['message/stream', { message: message03({ taskId: 'absent' }) }, -32001],
    ['tasks/resubscribe', { id: 'absent' }, -32001],
    ['tasks/resubscribe', {}, -32602],
  ])('[P4] the error of %s with %j comes as the one event of a stream', async (method, params, code) => {
    const stream = await client.stream(method, params);
    expect(stream.response.statusCode).toBe(200);
    expect(stream.response.headers['content-type']).toBe('text/event-stream');
    expect(await stream.answer()).toMatchObject({ jsonrpc: '2.0', id: expect.any(Number), error: { code } });
    expect(await stream.answer()).toBeUndefined();
  });

  it.each([
    [401, { authorization: 'Bearer hi_wrong' }],
    [404, { address: PUBLISHED.absent }],
    [404, { address: PUBLISHED.draft }],
    [415, { headers: { 'Content-Type': 'text/plain' } }],
  ])('[P4] [W5] a failure stays HTTP %d with a body of JSON: %j', async (status, options) => {
    const answer = await client.rpc('message/stream', { message: message03() }, options);
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.body.error).toBeDefined();
  });

  it('[P4] [W7] a body that is too large is 413', async () => {
    const answer = await client.post('x'.repeat(70_000));
    expect(answer.status).toBe(413);
  });

  it('[P2] the key opens streams as it opens calls', async () => {
    const stream = await client.stream(
      'message/stream',
      { message: message03() },
      { authorization: `bearer  ${API_KEY}` },
    );
    const { id } = await stream.next();
    await daemon.complete(id);
    await stream.rest();
  });
});

/** What runs in the process ends with it; `assistants.spec.ts` has what callers see of that. */
describe('streams at the 0.3 endpoint and a stop', () => {
  it('[P4] [R8] streams end with an error that names the task when the service stops, and their tasks go on', async () => {
    const other = await TestApi.start();
    const later = await other.daemon();
    const stream = await new V03Client(other).stream('message/stream', { message: message03() });
    const { id } = await stream.next();
    const again = await other.restart();
    try {
      const last = await lastAnswer(stream);
      expect(last.error).toEqual({
        code: -32603,
        message: expect.stringContaining(`The service restarts; task ${id} is saved`) as string,
      });
      const daemonAgain = await again.daemon();
      daemonAgain.adopt(later);
      const resumed = await new V03Client(again).stream('tasks/resubscribe', { id });
      expect((await resumed.next()).id).toBe(id);
      await daemonAgain.complete(id, 'after all');
      expect((await resumed.rest()).map(told).at(-1)).toBe('completed final');
    } finally {
      await again.close();
    }
  });
});

/** The pieces of a reply put together: `=` or `+` for how it began, and a dot when the last one said so. */
function pieces(events: any[]): string {
  const shown = events.map(told).filter((event) => /^[=+]/.test(event));
  return shown.map((event, index) => (index > 0 ? event.replace(/^\+/, '') : event)).join('');
}

/** The last answer of a stream, an error included. */
async function lastAnswer(stream: EventStream): Promise<any> {
  let last: unknown;
  for (let answer: unknown = await stream.answer(); answer !== undefined; answer = await stream.answer()) {
    last = answer;
  }
  return last;
}
