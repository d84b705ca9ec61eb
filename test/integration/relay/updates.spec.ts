import type { ReportOutcome, Task } from '../../../src/tasks/index.js';
import { type RelayApp, greet, startRelay, until, update } from './relay-app.js';

const applied: ReportOutcome = { kind: 'applied', task: {} as Task };
const ignored: ReportOutcome = { kind: 'ignored', task: {} as Task };

describe('updates of a daemon', () => {
  let relay: RelayApp;

  beforeEach(async () => {
    relay = await startRelay();
  });
  afterEach(() => relay.app.close());

  it('[R4] acknowledges an update only after it was stored', async () => {
    let commit: (outcome: ReportOutcome) => void = () => undefined;
    relay.reports.answer = () => new Promise((resolve) => (commit = resolve));
    const daemon = await greet(relay);
    let acknowledged = false;
    const answer = daemon.request('job.updated', update('task-1', 4)).then((frame) => {
      acknowledged = true;
      return frame;
    });
    await until(() => relay.reports.taken.length === 1, 'the update arrives');
    // Frames stay in order, so that an acknowledgement that was sent too early would have come before this answer.
    expect((await daemon.request('nope', {})).error).toBeDefined();
    expect(acknowledged).toBe(false);
    commit(applied);
    expect((await answer).result).toEqual({ acknowledged: 4 });
  });

  it('[R4] answers with an error, and no acknowledgement, when the store fails; the repetition is taken', async () => {
    const daemon = await greet(relay);
    relay.reports.answer = () => Promise.reject(new Error('SQLITE_FULL: /srv/data/a2a.sqlite'));
    const { result, error } = await daemon.request('job.updated', update('task-1'));
    expect(result).toBeUndefined();
    expect(error).toEqual({ code: -32603, message: 'internal error' });
    relay.reports.answer = async () => applied;
    expect((await daemon.request('job.updated', update('task-1'))).result).toEqual({ acknowledged: 1 });
  });

  it('[R7] acknowledges what it has no task for as not known', async () => {
    const daemon = await greet(relay);
    relay.reports.answer = async () => ({ kind: 'unknown' });
    expect((await daemon.request('job.updated', update('task-9', 2))).result).toEqual({
      acknowledged: 2,
      known: false,
    });
  });

  it('[R7] [B139] hands the computer of the session to the store, whatever the frame says, and acknowledges what was old', async () => {
    relay.directory.tokens.set('computer-2', 'rt_two');
    relay.reports.answer = async () => ignored;
    const daemon = await greet(relay, { token: 'rt_two' });
    const { result } = await daemon.request('job.updated', update('task-1', 3, { computerId: 'computer-1' }));
    expect(result).toEqual({ acknowledged: 3 });
    expect(relay.reports.taken).toEqual([
      { computerId: 'computer-2', report: { taskId: 'task-1', state: 'working', revision: 3 } },
    ]);
  });

  it('[R4] takes ten thousand repeated updates of a daemon that respects acknowledgements', async () => {
    relay.reports.answer = async () => ignored;
    const daemon = await greet(relay);
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < 10_000) await daemon.request('job.updated', update(`task-${next++}`));
    };
    await Promise.all(Array.from({ length: 64 }, worker));
    expect(relay.reports.taken).toHaveLength(10_000);
    expect(daemon.socket.readyState).toBe(daemon.socket.OPEN);
  });

  it('[R7] stores a bounded number of updates at once and lets the daemon wait for the rest', async () => {
    let running = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    relay.reports.answer = () => {
      most = Math.max(most, (running += 1));
      return new Promise((resolve) => {
        waiting.push(() => {
          running -= 1;
          resolve(applied);
        });
      });
    };
    const daemon = await greet(relay);
    const reply = 'x'.repeat(50_000);
    const all = Array.from({ length: 400 }, (_, n) =>
      daemon.request('job.updated', update(`task-${n}`, 1, { reply })),
    );
    await until(() => running === 64, 'as many as are allowed are running');
    // What the API does not read stays with the daemon.
    await until(() => daemon.socket.bufferedAmount > 1_000_000, 'the daemon is held back');
    let answered = 0;
    for (const answer of all) void answer.then(() => (answered += 1));
    while (answered < 400) {
      waiting.splice(0).forEach((release) => release());
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(most).toBe(64);
  });

  it('[R7] closes with 4429 when a daemon floods it, and serves the others', async () => {
    relay.directory.tokens.set('computer-2', 'rt_two');
    const other = await greet(relay, { token: 'rt_two' });
    const daemon = await greet(relay);
    for (let sequence = 0; sequence < 20_000; sequence += 1) {
      daemon.send({ jsonrpc: '2.0', method: 'job.delta', params: { jobId: 'task-1', sequence, text: 'x' } });
    }
    expect((await daemon.closed).code).toBe(4429);
    expect((await other.request('job.updated', update('task-2'))).result).toEqual({ acknowledged: 1 });
    expect(await (await fetch(`${relay.httpUrl}/ping`)).text()).toBe('pong');
  });

  it('[R4] lets go of partial output without an answer', async () => {
    const daemon = await greet(relay);
    daemon.send({
      jsonrpc: '2.0',
      method: 'job.delta',
      params: { jobId: 'task-1', sequence: 0, text: 'Hel' },
    });
    expect((await daemon.request('job.updated', update('task-1'))).result).toEqual({ acknowledged: 1 });
    expect(relay.reports.taken).toHaveLength(1);
  });
});
