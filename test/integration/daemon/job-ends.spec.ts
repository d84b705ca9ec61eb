import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Runtime } from '../../../src/daemon/index.js';
import { DaemonBench, order } from './support/daemon-bench.js';
import { GatedRuntime } from './support/gated-runtime.js';

describe('how jobs of the daemon stop and end', () => {
  let bench: DaemonBench;
  beforeEach(() => (bench = new DaemonBench()));
  afterEach(() => bench.end());

  const echo = { agents: { '*': { runtime: 'echo' } } };
  const refusedWith = (reason: string) =>
    expect.objectContaining({ name: 'RefusedError', code: -32000, reason });

  it('[G5] cancels a queued job at once and never runs it', async () => {
    const api = await bench.api();
    const runtime = new GatedRuntime();
    await bench.daemon(api, { concurrency: 1, agents: {} }, { runtimes: { helper: runtime } });
    const session = await api.session();
    const [first, second] = [order({}, 'first'), order({}, 'second')];
    await session.submit(first);
    await session.submit(second);
    expect(await session.cancel(second.jobId)).toMatchObject({ state: 'canceled', revision: 2 });
    await api.update(first.jobId, 'running');
    runtime.open();
    await api.update(first.jobId, 'succeeded');
    await api.update(second.jobId, 'canceled');
    expect(runtime.started).toEqual(['first']);
  });

  it('[R4] takes no job and calls none unknown when its data folder was deleted under it', async () => {
    const api = await bench.api();
    await bench.daemon(api, echo);
    const session = await api.session();
    const job = order();
    await session.submit(job);
    await api.update(job.jobId, 'succeeded');
    rmSync(bench.dataDir, { recursive: true });
    await expect(session.submit(order())).rejects.toEqual(refusedWith('queue_full'));
    await expect(session.status(job.jobId)).rejects.toMatchObject({ code: -32603 });
    expect(JSON.stringify(bench.log)).toContain('deleted or replaced');
  });

  it('[G5] answers a cancel of a finished job with the job, and of an unknown one with unknown_job', async () => {
    const api = await bench.api();
    await bench.daemon(api, echo);
    const session = await api.session();
    const job = order();
    await session.submit(job);
    await api.update(job.jobId, 'succeeded');
    expect(await session.cancel(job.jobId)).toMatchObject({
      state: 'succeeded',
      revision: 3,
      reply: 'hello',
    });
    await expect(session.cancel('nobody')).rejects.toEqual(refusedWith('unknown_job'));
  });

  it('[G5] [B74] answers canceled once a running job is stopped, whatever it says at its end', async () => {
    const api = await bench.api();
    const stubborn: Runtime = {
      run: (_job, host) =>
        new Promise((_resolve, reject) => {
          host.signal.addEventListener('abort', () => reject(new Error('aborted')));
        }),
    };
    await bench.daemon(api, echo, { runtimes: { helper: stubborn } });
    const session = await api.session();
    const job = order();
    await session.submit(job);
    await api.update(job.jobId, 'running');
    expect(await session.cancel(job.jobId)).toMatchObject({ state: 'canceled', revision: 3 });
    const told = await api.update(job.jobId, 'canceled');
    expect(told).not.toHaveProperty('reply');
  });

  it('[G5] answers running while a job does not stop, and canceled jobs of one flood stay canceled', async () => {
    const api = await bench.api();
    let letGo: () => void = () => undefined;
    const deaf: Runtime = {
      run: () => new Promise((resolve) => (letGo = () => resolve({ state: 'succeeded', reply: 'too late' }))),
    };
    await bench.daemon(api, echo, { runtimes: { helper: deaf }, timing: { cancelWaitMs: 50 } });
    const session = await api.session();
    const job = order();
    await session.submit(job);
    await api.update(job.jobId, 'running');
    expect(await session.cancel(job.jobId)).toMatchObject({ state: 'running' });
    letGo();
    expect(await api.update(job.jobId, 'canceled')).not.toHaveProperty('reply');
  });

  it('a runtime that throws, or answers nonsense, fails its job and nothing else', async () => {
    const api = await bench.api();
    const runtimes = {
      throws: {
        run: () => {
          throw new Error('secret detail');
        },
      },
      nothing: { run: async () => undefined as never },
      circular: {
        run: async () => {
          const checkpoint: Record<string, unknown> = {};
          checkpoint.self = checkpoint;
          return { state: 'input_required' as const, question: 'sure?', checkpoint };
        },
      },
    };
    await bench.daemon(api, echo, { runtimes });
    const session = await api.session();
    for (const agent of Object.keys(runtimes)) {
      const job = order({ agent });
      await session.submit(job);
      const report = await api.update(job.jobId, 'failed');
      expect(report.statusText).toBe('The assistant failed unexpectedly.');
    }
    const good = order();
    await session.submit(good);
    await api.update(good.jobId, 'succeeded');
  });

  it('gives up a runtime that ignores its time limit, so that it does not hold its place for ever', async () => {
    const api = await bench.api();
    const deaf = { run: () => new Promise<never>(() => undefined) };
    const clock = { now: () => Date.now() };
    await bench.daemon(
      api,
      { concurrency: 1, agents: { '*': { runtime: 'echo' } } },
      {
        runtimes: { deaf },
        timing: { stopGraceMs: 20, cancelWaitMs: 60_000 },
        clock,
      },
    );
    const session = await api.session();
    const job = order({ agent: 'deaf' });
    await session.submit(job);
    await api.update(job.jobId, 'running');
    expect(await session.cancel(job.jobId)).toMatchObject({ state: 'failed' });
    const next = order();
    await session.submit(next);
    await api.update(next.jobId, 'succeeded');
  });

  it('[P6] stops for an approval, refuses input that nobody asked for, and goes on with the answer', async () => {
    const api = await bench.api();
    const steps = [
      { reply: 'Draft of {{previous}}' },
      { approval: 'Send "{{previous}}"?' },
      { reply: 'Sent {{previous}}.' },
    ];
    await bench.daemon(api, { agents: { '*': { runtime: 'workflow', steps } } });
    const session = await api.session();
    const job = order({}, 'a letter');
    await session.submit(job);
    const asked = await api.update(job.jobId, 'input_required');
    expect(asked.statusText).toBe('Send "Draft of a letter"?');
    expect(await session.input(job.jobId, 'perhaps', 'm2')).toMatchObject({ state: 'running' });
    await api.until(
      'the second question',
      () => api.updates.filter((u) => u.state === 'input_required').length === 2,
    );
    const answered = await session.input(job.jobId, 'Yes', 'm3');
    expect(answered).toMatchObject({ state: 'running' });
    expect(answered).not.toHaveProperty('statusText');
    const done = await api.update(job.jobId, 'succeeded');
    expect(done.reply).toBe('Sent Draft of a letter.');
    expect(await session.input(job.jobId, 'Yes', 'm3')).toMatchObject({ state: 'succeeded' });
    await expect(session.input(job.jobId, 'Yes', 'm4')).rejects.toEqual(refusedWith('not_waiting'));
  });

  it('[P6] ends a declined approval as rejected, and one that nobody can answer as failed', async () => {
    const api = await bench.api();
    const steps = [{ approval: 'Sure?' }];
    await bench.daemon(api, { agents: { '*': { runtime: 'workflow', steps } } });
    const session = await api.session();
    const job = order();
    await session.submit(job);
    await api.update(job.jobId, 'input_required');
    await session.input(job.jobId, ' no. ', 'm2');
    expect(await api.update(job.jobId, 'rejected')).toHaveProperty('statusText');
    const silent = order({ interactive: false });
    await session.submit(silent);
    expect((await api.update(silent.jobId, 'failed')).statusText).toMatch(/nobody can answer/);
  });

  it('[G5] cancels a job that waits for an answer', async () => {
    const api = await bench.api();
    await bench.daemon(api, { agents: { '*': { runtime: 'workflow', steps: [{ approval: 'Sure?' }] } } });
    const session = await api.session();
    const job = order();
    await session.submit(job);
    await api.update(job.jobId, 'input_required');
    const canceled = await session.cancel(job.jobId);
    expect(canceled).toMatchObject({ state: 'canceled' });
    expect(canceled).not.toHaveProperty('statusText');
  });

  it('numbers partial output on through a question and puts floods of it together', async () => {
    const api = await bench.api();
    const chatty: Runtime = {
      run: async (job, host) => {
        for (let index = 0; index < 500; index += 1) host.emit('x');
        await pause(0);
        if (!job.resumed) return { state: 'input_required', question: 'go on?', checkpoint: null };
        return { state: 'succeeded', reply: 'x'.repeat(1000) };
      },
    };
    await bench.daemon(api, echo, { runtimes: { helper: chatty } });
    const session = await api.session();
    const job = order();
    await session.submit(job);
    await api.update(job.jobId, 'input_required');
    await session.input(job.jobId, 'yes', 'm2');
    await api.update(job.jobId, 'succeeded');
    expect(api.deltas.map((delta) => delta.text).join('')).toBe('x'.repeat(1000));
    expect(api.deltas.map((delta) => delta.sequence)).toEqual(api.deltas.map((_, index) => index));
    expect(api.deltas.length).toBeLessThan(100);
  });
});
