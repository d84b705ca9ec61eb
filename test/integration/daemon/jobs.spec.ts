import type { Runtime } from '../../../src/daemon/index.js';
import { isFinished } from '../../../src/relay-protocol/index.js';
import { DaemonBench, order, script } from './support/daemon-bench.js';
import { GatedRuntime } from './support/gated-runtime.js';

describe('jobs of the daemon', () => {
  let bench: DaemonBench;
  beforeEach(() => (bench = new DaemonBench()));
  afterEach(() => bench.end());

  const echo = { agents: { '*': { runtime: 'echo' } } };
  const refusedWith = (reason: string) =>
    expect.objectContaining({ name: 'RefusedError', code: -32000, reason });

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

  it('[W8] gives a runtime the metadata as it was sent, whatever its keys', async () => {
    const api = await bench.api();
    const seen: string[] = [];
    const runtime: Runtime = {
      run: async ({ metadata }) => {
        seen.push(JSON.stringify(metadata));
        return { state: 'succeeded', reply: '' };
      },
    };
    await bench.daemon(api, { agents: {} }, { runtimes: { helper: runtime } });
    const metadata = JSON.parse('{"__proto__":{"x":1},"a":{"__proto__":[]},"constructor":null}') as Record<
      string,
      unknown
    >;
    const job = order({ agent: 'helper', message: { messageId: 'm', text: 'Hi', metadata } });
    await (await api.session()).submit(job);
    await api.update(job.jobId, 'succeeded');
    expect(seen).toEqual([JSON.stringify(metadata)]);
    expect(({} as { x?: unknown }).x).toBeUndefined();
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
