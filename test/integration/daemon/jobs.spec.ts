import { setTimeout as pause } from 'node:timers/promises';
import { isFinished } from '../../../src/relay-protocol/index.js';
import type { Runtime } from '../../../src/daemon/index.js';
import { DaemonBench, order, script } from './support/daemon-bench.js';

describe('jobs of the daemon', () => {
  let bench: DaemonBench;
  beforeEach(() => (bench = new DaemonBench()));
  afterEach(() => bench.end());

  const echo = { agents: { '*': { runtime: 'echo' } } };
  const refusedWith = (reason: string) =>
    expect.objectContaining({ name: 'RefusedError', code: -32000, reason });

  /** Runs until a test lets it go, and shows how many ran at once. */
  class GatedRuntime implements Runtime {
    running = 0;
    most = 0;
    readonly started: string[] = [];
    private readonly gates: (() => void)[] = [];
    private permits = 0;
    onStart: () => void = () => undefined;

    async run(job: { text: string }, host: { signal: AbortSignal }) {
      this.running += 1;
      this.most = Math.max(this.most, this.running);
      this.started.push(job.text);
      this.onStart();
      await new Promise<void>((resolve) => {
        if (this.permits > 0) {
          this.permits -= 1;
          resolve();
          return;
        }
        this.gates.push(resolve);
        host.signal.addEventListener('abort', () => resolve());
      });
      this.running -= 1;
      return { state: 'succeeded' as const, reply: `did ${job.text}` };
    }

    open(): void {
      const gate = this.gates.shift();
      if (gate) gate();
      else this.permits += 1;
    }
  }

  it('[R4] runs a job under its id and tells queued, running and succeeded with rising revisions', async () => {
    const api = await bench.api();
    await bench.daemon(api, echo);
    const session = await api.session();
    const job = order({}, 'Grüße 👋');
    expect(await session.submit(job)).toEqual({ state: 'queued', revision: 1 });
    const done = await api.update(job.jobId, 'succeeded');
    const told = api.updates.map(({ state, revision }) => ({ state, revision }));
    expect(told.at(-1)).toEqual({ state: 'succeeded', revision: 3 });
    expect(told.slice(0, -1)).toEqual(told.length > 1 ? [{ state: 'running', revision: 2 }] : []);
    expect(done.reply).toBe('Grüße 👋');
    expect(api.deltas).toEqual([{ jobId: job.jobId, sequence: 0, text: 'Grüße 👋' }]);
  });

  it('[R4] keeps a job once: the same submission again answers its present state and starts nothing', async () => {
    const api = await bench.api();
    const runtime = new GatedRuntime();
    await bench.daemon(api, echo, { runtimes: { helper: runtime } });
    const session = await api.session();
    const job = order();
    const answers = await Promise.all([session.submit(job), session.submit(job), session.submit(job)]);
    expect(answers.map((answer) => answer.revision)).toEqual([1, 1, 1]);
    await api.update(job.jobId, 'running');
    expect(await session.submit({ ...job, createdAt: new Date().toISOString() })).toEqual({
      state: 'running',
      revision: 2,
    });
    runtime.open();
    await api.update(job.jobId, 'succeeded');
    expect(await session.submit(job)).toEqual({ state: 'succeeded', revision: 3 });
    expect(runtime.started).toHaveLength(1);
  });

  it('[R4] refuses other content under a known id as conflict', async () => {
    const api = await bench.api();
    await bench.daemon(api, echo);
    const session = await api.session();
    const job = order();
    await session.submit(job);
    const other = { ...job, message: { ...job.message, text: 'other' } };
    await expect(session.submit(other)).rejects.toEqual(refusedWith('conflict'));
  });

  it('[R4] job.status sees every submission that came before it on the link', async () => {
    const api = await bench.api();
    await bench.daemon(api, echo);
    const session = await api.session();
    const jobs = Array.from({ length: 30 }, () => order());
    const submitted = jobs.map((job) => session.submit(job));
    const seen = await session.status(...jobs.map((job) => job.jobId), 'never-heard-of');
    expect(seen.slice(0, 30).every((job) => job.state !== 'unknown')).toBe(true);
    expect(seen[30]).toEqual({ jobId: 'never-heard-of', state: 'unknown' });
    await Promise.all(submitted);
  });

  it('[R4] runs twenty rapid submissions in their order, at most `concurrency` at once', async () => {
    const api = await bench.api();
    const runtime = new GatedRuntime();
    runtime.onStart = () => api.note();
    await bench.daemon(api, { concurrency: 2, agents: {} }, { runtimes: { helper: runtime } });
    const session = await api.session();
    const jobs = Array.from({ length: 20 }, (_, index) => order({}, String(index)));
    await Promise.all(jobs.map((job) => session.submit(job)));
    await api.until('two to run', () => runtime.running === 2 && api.updates.length >= 2);
    for (const job of jobs) {
      await api.update(job.jobId, 'running');
      runtime.open();
      await api.update(job.jobId, 'succeeded');
    }
    expect(runtime.most).toBe(2);
    expect(runtime.started).toEqual(jobs.map((job) => job.message.text));
  });

  it('[S8] refuses with queue_full past the places and the line, and keeps nothing of the refused job', async () => {
    const api = await bench.api();
    const runtime = new GatedRuntime();
    await bench.daemon(api, { concurrency: 1, queueLimit: 2, agents: {} }, { runtimes: { helper: runtime } });
    const session = await api.session();
    const jobs = [order(), order(), order(), order()];
    const answers = await Promise.allSettled(jobs.map((job) => session.submit(job)));
    expect(answers.map((answer) => answer.status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
    ]);
    expect(answers[3]).toMatchObject({ reason: { reason: 'queue_full' } });
    const [refused] = await session.status(jobs[3]!.jobId);
    expect(refused).toEqual({ jobId: jobs[3]!.jobId, state: 'unknown' });
  });

  it('[S8] says which submissions it never takes: unknown agent, bad form, expired', async () => {
    const api = await bench.api();
    await bench.daemon(api, { agents: { helper: { runtime: 'echo' } } });
    const session = await api.session();
    for (const agent of ['nobody', 'constructor', '__proto__']) {
      await expect(session.submit(order({ agent }))).rejects.toEqual(refusedWith('unknown_agent'));
    }
    await expect(session.submit({ ...order(), jobId: '' })).rejects.toEqual(refusedWith('invalid_job'));
    const past = order({ expiresAt: new Date(Date.now() - 1000).toISOString() });
    await expect(session.submit(past)).rejects.toEqual(refusedWith('invalid_job'));
    expect(await session.status(past.jobId)).toEqual([{ jobId: past.jobId, state: 'unknown' }]);
  });

  it('[K2] forgets a job when it expires', async () => {
    const api = await bench.api();
    const clock = { ms: Date.now(), now: () => clock.ms };
    await bench.daemon(api, echo, { clock });
    const session = await api.session();
    const job = order();
    await session.submit(job);
    await api.update(job.jobId, 'succeeded');
    clock.ms = Date.parse(job.expiresAt);
    expect(await session.status(job.jobId)).toEqual([{ jobId: job.jobId, state: 'unknown' }]);
  });

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
        timing: { stopGraceMs: 20, cancelWaitMs: 1000 },
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

  it('[S10] cuts a reply at 100,000 code points, between characters, and says so', async () => {
    const api = await bench.api();
    await bench.daemon(api, echo);
    const session = await api.session();
    const [long, exact] = [order({}, '👋'.repeat(100_001)), order({}, '👋'.repeat(100_000))];
    await session.submit(long);
    await session.submit(exact);
    const cut = await api.update(long.jobId, 'succeeded');
    expect(cut.reply).toBe('👋'.repeat(100_000));
    expect(cut.replyTruncated).toBe(true);
    expect(await api.update(exact.jobId, 'succeeded')).not.toHaveProperty('replyTruncated');
  });

  it('answers about many large jobs in a frame the link can carry', async () => {
    const api = await bench.api();
    await bench.daemon(api, { concurrency: 8, agents: { '*': { runtime: 'echo' } } });
    const session = await api.session();
    const jobs = Array.from({ length: 12 }, () => order({}, '\u0001'.repeat(100_000)));
    for (const job of jobs) await session.submit(job);
    for (const job of jobs) await api.update(job.jobId, 'succeeded');
    const seen = await session.status(...jobs.map((job) => job.jobId));
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.length).toBeLessThan(12);
    expect(seen.every((job) => job.state !== 'unknown' && isFinished(job.state))).toBe(true);
  });

  it('job.forget deletes what is finished and leaves what runs', async () => {
    const api = await bench.api();
    const runtime = new GatedRuntime();
    await bench.daemon(api, echo, { runtimes: { gated: runtime } });
    const session = await api.session();
    const [done, running] = [order(), order({ agent: 'gated' })];
    await session.submit(done);
    await session.submit(running);
    await api.update(done.jobId, 'succeeded');
    await api.update(running.jobId, 'running');
    session.peer.notify('job.forget', { jobIds: [done.jobId, running.jobId] });
    const [first, second] = await session.status(done.jobId, running.jobId);
    expect(first).toMatchObject({ state: 'unknown' });
    expect(second).toMatchObject({ state: 'running' });
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

  it('[H5] gives every job the caller, its conversation alone, and a workspace of its own', async () => {
    const api = await bench.api();
    const seen = new Map<string, { workspace: string; said: string[] }>();
    const runtime: Runtime = {
      run: async (job, host) => {
        const said = (await host.conversation()).map((turn) => turn.content);
        seen.set(job.text, { workspace: host.workspace, said });
        return { state: 'succeeded', reply: 'ok', remember: [{ role: 'user', content: job.text }] };
      },
    };
    await bench.daemon(api, echo, { runtimes: { helper: runtime } });
    const session = await api.session();
    const ask = async (text: string, accountId: string, contextId: string) => {
      const job = order({ caller: { accountId }, contextId }, text);
      await session.submit(job);
      await api.update(job.jobId, 'succeeded');
    };
    await ask('a', 'alice', '../../etc');
    await ask('b', 'alice', '../../etc');
    await ask('c', 'bob', '../../etc');
    await ask('d', 'alice', 'other');
    expect(seen.get('b')).toEqual({ workspace: seen.get('a')?.workspace, said: ['a'] });
    expect(seen.get('c')?.said).toEqual([]);
    expect(seen.get('d')?.said).toEqual([]);
    expect(new Set([...seen.values()].map((each) => each.workspace)).size).toBe(3);
    expect([...seen.values()].every((each) => each.workspace.startsWith(bench.dataDir))).toBe(true);
  });

  it('a command gets its text on standard input and answers on standard output', async () => {
    const api = await bench.api();
    await bench.daemon(api, { agents: { '*': script('process.stdin.pipe(process.stdout)') } });
    const session = await api.session();
    const job = order({}, 'línea\nsegunda\n\n');
    await session.submit(job);
    expect((await api.update(job.jobId, 'succeeded')).reply).toBe('línea\nsegunda');
  });
});
