import type { JobOrder } from '../../../src/tasks/index.js';
import { type RelayApp, type TestDaemon, greet, startRelay, until, update } from './relay-app.js';

const order: JobOrder = {
  taskId: 'task-1',
  computerId: 'computer-1',
  handle: 'helper',
  contextId: 'context-1',
  accountId: 'account-1',
  interactive: false,
  message: { messageId: 'message-1', text: 'Good\nday' },
  createdAtMs: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
  expiresAtMs: Date.UTC(2026, 0, 9, 3, 4, 5, 6),
};

describe('jobs over the relay', () => {
  let relay: RelayApp;
  let daemon: TestDaemon;

  async function start(settings: Parameters<typeof startRelay>[0] = {}): Promise<void> {
    relay = await startRelay(settings);
    daemon = await greet(relay);
  }

  afterEach(() => relay.app.close());

  it('[R4] [H5] hands the job over under its task id, with the caller and nothing of the owner', async () => {
    await start();
    daemon.methods['job.submit'] = () => ({ result: { state: 'queued', revision: 1 } });
    expect(await relay.executor.submit(order)).toEqual({
      kind: 'accepted',
      report: { taskId: 'task-1', state: 'submitted', revision: 1 },
    });
    expect(daemon.requests.map(({ params }) => params)).toEqual([
      {
        jobId: 'task-1',
        agent: 'helper',
        contextId: 'context-1',
        caller: { accountId: 'account-1' },
        origin: 'a2a',
        interactive: false,
        message: { messageId: 'message-1', text: 'Good\nday' },
        createdAt: '2026-01-02T03:04:05.006Z',
        expiresAt: '2026-01-09T03:04:05.006Z',
      },
    ]);
  });

  it('[W8] passes metadata on as it is', async () => {
    await start();
    daemon.methods['job.submit'] = () => ({ result: { state: 'running', revision: 2 } });
    const metadata = JSON.parse('{"__proto__":{"a":1},"constructor":"x"}') as Record<string, unknown>;
    await relay.executor.submit({ ...order, message: { ...order.message, metadata } });
    expect(JSON.stringify(daemon.requests[0]?.params['message'])).toContain(JSON.stringify(metadata));
  });

  it('[R4] leaves the result of a job that is finished already to the update that carries it', async () => {
    await start();
    daemon.methods['job.submit'] = () => ({ result: { state: 'succeeded', revision: 3 } });
    expect(await relay.executor.submit(order)).toEqual({
      kind: 'accepted',
      report: { taskId: 'task-1', state: 'working', revision: 2 },
    });
  });

  it('[P6] hands over the answer to a question, and says what became of it', async () => {
    await start();
    const input = { taskId: 'task-1', computerId: 'computer-1', message: { messageId: 'm-2', text: 'yes' } };
    const updatedAt = '2026-01-02T03:04:05.006Z';
    daemon.methods['job.input'] = () => ({
      result: { jobId: 'task-1', state: 'running', revision: 4, updatedAt },
    });
    expect(await relay.executor.answer(input)).toEqual({
      kind: 'reported',
      report: { taskId: 'task-1', state: 'working', revision: 4 },
    });
    expect(daemon.requests.map(({ params }) => params)).toEqual([
      { jobId: 'task-1', message: input.message },
    ]);
    daemon.methods['job.input'] = () => ({
      error: { code: -32000, message: 'no', data: { reason: 'not_waiting' } },
    });
    expect(await relay.executor.answer(input)).toEqual({ kind: 'not_waiting' });
    daemon.methods['job.input'] = () => ({ error: { code: -32603, message: 'internal' } });
    expect(await relay.executor.answer(input)).toEqual({ kind: 'uncertain' });
    daemon.methods['job.input'] = () => ({
      result: { jobId: 'task-2', state: 'running', revision: 4, updatedAt },
    });
    expect(await relay.executor.answer(input)).toEqual({ kind: 'uncertain' });
    expect(await relay.executor.answer({ ...input, computerId: 'computer-2' })).toEqual({ kind: 'not_sent' });
  });

  it('[S8] refuses without writing anything when the computer is offline or drains', async () => {
    await start();
    expect(await relay.executor.submit({ ...order, computerId: 'computer-2' })).toEqual({
      kind: 'refused',
      reason: 'offline',
    });
    expect(await relay.executor.status('computer-2', ['task-1'], 'short')).toBeUndefined();
    expect(await relay.executor.cancel('computer-2', 'task-1')).toEqual({ kind: 'unreachable' });
    daemon.send({ jsonrpc: '2.0', method: 'relay.draining', params: {} });
    await until(() => !relay.executor.isAvailable('computer-1'), 'the daemon drains');
    expect((await relay.executor.submit(order)).kind).toBe('refused');
    expect(daemon.requests).toEqual([]);
    daemon.methods['job.status'] = () => ({ result: { jobs: [{ jobId: 'task-1', state: 'unknown' }] } });
    expect(await relay.executor.status('computer-1', ['task-1'], 'short')).toEqual([
      { kind: 'unknown', taskId: 'task-1' },
    ]);
  });

  it.each(['queue_full', 'unknown_agent', 'draining', 'invalid_job', 'conflict'])(
    '[S8] takes the refusal %s as certain',
    async (reason) => {
      await start();
      daemon.methods['job.submit'] = () => ({ error: { code: -32000, message: 'no', data: { reason } } });
      expect(await relay.executor.submit(order)).toEqual({ kind: 'refused', reason });
    },
  );

  it.each([
    ['an internal error', { error: { code: -32603, message: 'internal error' } }],
    [
      'a refusal in a word that the protocol has not',
      { error: { code: -32000, message: 'no', data: { reason: 'mood' } } },
    ],
    ['an answer of an unknown form', { result: { done: true } }],
  ])('[S8] takes %s as uncertain', async (_name, answer) => {
    await start();
    daemon.methods['job.submit'] = () => answer;
    expect(await relay.executor.submit(order)).toEqual({ kind: 'uncertain' });
  });

  it('[S8] a daemon that does not know the method has not taken the job', async () => {
    await start();
    daemon.methods['job.submit'] = () => ({ error: { code: -32601, message: 'unknown method' } });
    expect((await relay.executor.submit(order)).kind).toBe('refused');
  });

  it('[S8] [R4] is uncertain when the link is cut before the answer, and never submits again', async () => {
    await start();
    const outcome = relay.executor.submit(order);
    await until(() => daemon.requests.length === 1, 'the job arrives');
    daemon.socket.terminate();
    expect(await outcome).toEqual({ kind: 'uncertain' });
    const back = await greet(relay);
    back.methods['job.status'] = () => ({ result: { jobs: [] } });
    await relay.executor.status('computer-1', ['task-1'], 'long');
    expect(back.requests.map(({ method }) => method)).toEqual(['job.status']);
  });

  it('[R3] [S8] is uncertain when another connection takes over before the answer', async () => {
    await start();
    const outcome = relay.executor.submit(order);
    await until(() => daemon.requests.length === 1, 'the job arrives');
    await greet(relay);
    expect(await outcome).toEqual({ kind: 'uncertain' });
  });

  it('[S8] is uncertain after the time-out, and a late answer changes nothing', async () => {
    await start({ submitTimeoutMs: 50 });
    let id = 0;
    daemon.methods['job.submit'] = (_params, requestId) => {
      id = requestId;
      return undefined;
    };
    expect(await relay.executor.submit(order)).toEqual({ kind: 'uncertain' });
    daemon.send({ jsonrpc: '2.0', id, result: { state: 'queued', revision: 1 } });
    expect((await daemon.request('job.updated', update('task-1'))).result).toEqual({ acknowledged: 1 });
  });

  it('[S8] refuses as if the queue were full when too much stays unanswered, and offers again afterwards', async () => {
    await start({ maxInFlight: 3, submitTimeoutMs: 400 });
    const outcomes = [1, 2, 3, 4].map((n) => relay.executor.submit({ ...order, taskId: `task-${n}` }));
    expect(await outcomes[3]).toEqual({ kind: 'refused', reason: 'queue_full' });
    expect(await outcomes[0]).toEqual({ kind: 'uncertain' });
    await Promise.all(outcomes);
    expect(daemon.requests.map(({ params }) => params['jobId'])).toEqual(['task-1', 'task-2', 'task-3']);
    daemon.methods['job.submit'] = () => ({ result: { state: 'queued', revision: 1 } });
    expect((await relay.executor.submit({ ...order, taskId: 'task-5' })).kind).toBe('accepted');
  });

  it('[S8] lets a burst past the bound wait its turn when the daemon answers', async () => {
    await start({ maxInFlight: 3 });
    daemon.methods['job.submit'] = () => ({ result: { state: 'queued', revision: 1 } });
    const burst = Array.from({ length: 30 }, (_, n) =>
      relay.executor.submit({ ...order, taskId: `task-${n}` }),
    );
    expect(new Set((await Promise.all(burst)).map(({ kind }) => kind))).toEqual(new Set(['accepted']));
    expect(daemon.requests).toHaveLength(30);
  });

  it('[S8] offers nothing more to a daemon that does not read', async () => {
    await start({ maxInFlight: 100_000, submitTimeoutMs: 20_000 });
    daemon.socket.pause();
    const text = 'x'.repeat(60_000);
    const submit = (n: number) =>
      relay.executor.submit({
        ...order,
        taskId: `task-${n}`,
        message: { ...order.message, text },
      });
    const outcomes: Promise<string>[] = [];
    let refused = false;
    for (let n = 0; n < 2_000 && !refused; n += 1) {
      const kind = submit(n).then((outcome) => outcome.kind);
      void kind.then((value) => (refused ||= value === 'refused'));
      outcomes.push(kind);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(refused).toBe(true);
    daemon.socket.terminate();
    const kinds = new Set(await Promise.all(outcomes));
    expect(kinds).toEqual(new Set(['uncertain', 'refused']));
  });

  it('[G1] asks one question for all who ask at once, at most fifty jobs a frame, and each job once', async () => {
    await start();
    daemon.methods['job.status'] = ({ jobIds }) => ({
      result: { jobs: (jobIds as string[]).map((jobId) => update(jobId, 7)) },
    });
    const ids = Array.from({ length: 60 }, (_, n) => `task-${n}`);
    const answers = await Promise.all([
      ...ids.map((id) => relay.executor.status('computer-1', [id], 'short')),
      relay.executor.status('computer-1', ['task-0', 'task-59'], 'short'),
    ]);
    const asked = daemon.requests.map(({ params }) => params['jobIds'] as string[]);
    expect(asked.map((jobIds) => jobIds.length)).toEqual([50, 10]);
    expect(new Set(asked.flat()).size).toBe(60);
    answers.slice(0, 60).forEach((answer, n) => {
      expect(answer).toEqual([
        { kind: 'reported', report: { taskId: `task-${n}`, state: 'working', revision: 7 } },
      ]);
    });
    expect(answers[60]?.map((answer) => answer.kind)).toEqual(['reported', 'reported']);
  });

  it('[G1] [R7] takes no answer about a job that was not asked about, and none of an unknown form', async () => {
    await start();
    daemon.methods['job.status'] = () => ({
      result: {
        jobs: [
          update('task-2'),
          update('task-1', 4, { state: 'failed', statusText: 'no' }),
          update('task-1', 9),
        ],
      },
    });
    expect(await relay.executor.status('computer-1', ['task-1', 'task-3'], 'short')).toEqual([
      { kind: 'reported', report: { taskId: 'task-1', state: 'failed', revision: 4, statusText: 'no' } },
    ]);
    daemon.methods['job.status'] = () => ({ result: { jobs: [{ jobId: 'task-1', state: 'odd' }] } });
    expect(await relay.executor.status('computer-1', ['task-1'], 'short')).toBeUndefined();
  });

  it('[G1] gives up on a computer that does not answer', async () => {
    await start({ statusTimeoutMs: 50 });
    expect(await relay.executor.status('computer-1', ['task-1'], 'long')).toBeUndefined();
    expect(await relay.executor.status('computer-1', [], 'long')).toEqual([]);
  });

  it('[G5] confirms no cancel when the daemon says nothing', async () => {
    await start({ cancelTimeoutMs: 50 });
    expect(await relay.executor.cancel('computer-1', 'task-1')).toEqual({ kind: 'unreachable' });
  });

  it('[G5] reports what the daemon says of a cancel', async () => {
    await start();
    daemon.methods['job.cancel'] = () => ({ result: update('task-1', 5, { state: 'canceled' }) });
    expect(await relay.executor.cancel('computer-1', 'task-1')).toEqual({
      kind: 'reported',
      report: { taskId: 'task-1', state: 'canceled', revision: 5 },
    });
    daemon.methods['job.cancel'] = () => ({ result: update('task-2', 5, { state: 'canceled' }) });
    expect(await relay.executor.cancel('computer-1', 'task-1')).toEqual({ kind: 'unreachable' });
    daemon.methods['job.cancel'] = () => ({
      error: { code: -32000, message: 'no', data: { reason: 'unknown_job' } },
    });
    expect(await relay.executor.cancel('computer-1', 'task-1')).toEqual({ kind: 'unknown' });
  });

  it('[K2] tells a computer what it may forget, in bounded frames, and nothing to one that is away', async () => {
    await start();
    daemon.methods['job.forget'] = () => ({ result: {} });
    relay.executor.forget('computer-2', ['task-1']);
    relay.executor.forget(
      'computer-1',
      Array.from({ length: 700 }, (_, n) => `task-${n}`),
    );
    await until(() => daemon.requests.length === 2, 'both frames arrive');
    expect(daemon.requests.map(({ params }) => (params['jobIds'] as string[]).length)).toEqual([500, 200]);
  });
});
