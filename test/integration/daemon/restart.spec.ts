import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import sqlite3 from 'sqlite3';
import type { Runtime } from '../../../src/daemon/index.js';
import { DaemonProgram, killed } from './support/child-daemon.js';
import { DaemonBench, order, script } from './support/daemon-bench.js';

describe('restarts of the daemon', () => {
  let program: DaemonProgram;
  let bench: DaemonBench;
  beforeAll(async () => (program = await DaemonProgram.build()));
  afterAll(() => program.remove());
  beforeEach(() => (bench = new DaemonBench()));
  afterEach(() => bench.end());

  const echo = { agents: { '*': { runtime: 'echo' } } };
  const approval = { runtime: 'workflow', steps: [{ approval: 'Sure?' }, { reply: 'Done.' }] };

  async function written(file: string): Promise<void> {
    const deadline = Date.now() + 60_000;
    while (!existsSync(file)) {
      if (Date.now() > deadline) throw new Error(`${file} was not written`);
      await pause(10);
    }
  }

  it('[R6] [K4] after kill -9 a running job is failed, queued ones run, finished and waiting ones stay as they were', async () => {
    const agents = {
      slow: script(
        `require('fs').appendFileSync('../../runs', process.pid + ' '); setTimeout(() => undefined, 60_000)`,
      ),
      desk: approval,
      '*': { runtime: 'echo' },
    };
    let silent = false;
    const api = await bench.api({
      acknowledge: (report) => (silent ? undefined : { acknowledged: report.revision }),
    });
    const child = program.start(api.url, bench.dataDir, { concurrency: 1, agents });
    const first = await api.session();
    const [done, desk, slow, queued] = [
      order(),
      order({ agent: 'desk' }),
      order({ agent: 'slow' }),
      order({}, 'later'),
    ];
    await first.submit(done);
    await api.update(done.jobId, 'succeeded');
    await first.submit(desk);
    await api.update(desk.jobId, 'input_required');
    silent = true;
    await first.submit(slow);
    await first.submit(queued);
    const runs = join(bench.dataDir, 'runs');
    await written(runs);
    await killed(child);

    silent = false;
    api.updates.length = 0;
    const again = program.start(api.url, bench.dataDir, { concurrency: 1, agents });
    const second = await api.session(2);
    const failed = await api.update(slow.jobId, 'failed');
    expect(failed).toMatchObject({ revision: 3, statusText: expect.stringContaining('restarted') });
    expect(await api.update(queued.jobId, 'succeeded')).toMatchObject({ reply: 'later' });
    const [doneNow, deskNow] = await second.status(done.jobId, desk.jobId);
    expect(doneNow).toMatchObject({ state: 'succeeded', revision: 3, reply: 'hello' });
    expect(deskNow).toMatchObject({ state: 'input_required', statusText: 'Sure?' });
    await second.input(desk.jobId, 'yes', 'm2');
    expect(await api.update(desk.jobId, 'succeeded')).toMatchObject({ reply: 'Done.' });
    expect(await second.submit(slow)).toEqual({ state: 'failed', revision: 3 });
    await killed(again);
    const pids = readFileSync(runs, 'utf8').trim().split(' ').map(Number);
    expect(pids).toHaveLength(1);
    // Killed with the restart; what still has a number is a corpse that nobody buried.
    const stat = `/proc/${pids[0]}/stat`;
    if (existsSync('/proc/self/stat') && existsSync(stat))
      expect(readFileSync(stat, 'utf8')).toContain(') Z ');
  });

  it('[K4] whatever was answered before kill -9 is there afterwards, each job once', async () => {
    let silent = true;
    const api = await bench.api({
      acknowledge: (report) => (silent ? undefined : { acknowledged: report.revision }),
    });
    const child = program.start(api.url, bench.dataDir, echo);
    const first = await api.session();
    const jobs = Array.from({ length: 60 }, (_, index) => order({}, String(index)));
    const answered: string[] = [];
    const submits = jobs.map((job) =>
      first.submit(job).then(
        () => {
          answered.push(job.jobId);
          if (answered.length === 20) child.kill('SIGKILL');
        },
        () => undefined,
      ),
    );
    await Promise.all(submits);
    expect(answered.length).toBeGreaterThanOrEqual(20);
    silent = false;
    api.updates.length = 0;
    const again = program.start(api.url, bench.dataDir, echo);
    const second = await api.session(2);
    for (let start = 0; start < answered.length; start += 50) {
      const seen = await second.status(...answered.slice(start, start + 50));
      expect(seen.every((job) => job.state !== 'unknown')).toBe(true);
    }
    for (const jobId of answered) {
      await api.until('its end', () =>
        api.updates.find(
          (each) => each.jobId === jobId && (each.state === 'succeeded' || each.state === 'failed'),
        ),
      );
    }
    await killed(again);
  });

  it('[R6] an answer that was given before the end is not lost', async () => {
    const api = await bench.api();
    let started: () => void = () => undefined;
    const blocked = new Promise<void>((resolve) => (started = resolve));
    const blocking: Runtime = {
      run: (_job, host) => {
        started();
        return new Promise((_resolve, reject) =>
          host.signal.addEventListener('abort', () => reject(new Error('x'))),
        );
      },
    };
    const config = { concurrency: 1, agents: { desk: approval } };
    await bench.daemon(api, config, { runtimes: { blocking } });
    const session = await api.session();
    const desk = order({ agent: 'desk' });
    await session.submit(desk);
    await api.update(desk.jobId, 'input_required');
    await session.submit(order({ agent: 'blocking' }));
    await blocked;
    // The only place is taken: the answered job stands in line when the state on disk is copied, as after kill -9.
    expect(await session.input(desk.jobId, 'yes', 'm2')).toMatchObject({ state: 'running' });
    const copy = new DaemonBench();
    bench.onEnd(() => copy.end());
    cpSync(bench.dataDir, copy.dataDir, { recursive: true });
    const other = await copy.api();
    await copy.daemon(other, config);
    expect(await other.update(desk.jobId, 'succeeded')).toMatchObject({ reply: 'Done.' });
  });

  it('fails an open approval whose workflow was changed meanwhile', async () => {
    const api = await bench.api();
    const daemon = await bench.daemon(api, { agents: { '*': approval } });
    const job = order();
    await (await api.session()).submit(job);
    await api.update(job.jobId, 'input_required');
    await daemon.stop({ drainMs: 0 });
    const changed = { ...approval, steps: [{ approval: 'Sure?' }, { reply: 'Something else.' }] };
    await bench.daemon(api, { agents: { '*': changed } });
    await (await api.session(2)).input(job.jobId, 'yes', 'm2');
    expect((await api.update(job.jobId, 'failed')).statusText).toMatch(/changed/);
  });

  it('fails a queued job whose agent is no longer set up', async () => {
    const api = await bench.api();
    const slow = script('setTimeout(() => undefined, 60_000)');
    const first = await bench.daemon(api, { concurrency: 1, agents: { slow, gone: { runtime: 'echo' } } });
    const [running, job] = [order({ agent: 'slow' }), order({ agent: 'gone' })];
    const session = await api.session();
    await session.submit(running);
    await session.submit(job);
    await first.stop({ drainMs: 0 });
    await bench.daemon(api, { agents: { slow } });
    expect((await api.update(job.jobId, 'failed')).statusText).toMatch(/no longer set up/);
  });

  it('refuses a second daemon on one job database, in the same and in another process, until the first is gone', async () => {
    const api = await bench.api();
    const child = program.start(api.url, bench.dataDir, echo);
    await api.session();
    const second = program.start(api.url, bench.dataDir, echo);
    const [output] = (await once(second.stdout!, 'data')) as [Buffer];
    expect(output.toString()).toContain('JobDatabaseError');
    expect(await once(second, 'exit')).toEqual([7, null]);
    await expect(bench.daemon(api, echo)).rejects.toThrow(
      `${bench.dataDir}: another daemon is already running with it`,
    );
    await killed(child);
    await bench.daemon(api, echo);
    await expect(bench.daemon(api, echo)).rejects.toThrow(/already running/);
    await api.session(2);
  });

  it('keeps folder and files to the user', async () => {
    const api = await bench.api();
    await bench.daemon(api, echo);
    await (await api.session()).submit(order());
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
    expect(mode(bench.dataDir)).toBe('700');
    expect(mode(join(bench.dataDir, 'daemon.sqlite'))).toBe('600');
    expect(mode(join(bench.dataDir, 'daemon.sqlite-wal'))).toBe('600');
  });

  it('[K1] refuses a job database of a newer version', async () => {
    const database = new sqlite3.Database(join(bench.dataDir, 'daemon.sqlite'));
    await new Promise((resolve) => database.exec('PRAGMA user_version = 99', resolve));
    await new Promise((resolve) => database.close(resolve));
    await expect(bench.daemon(await bench.api(), echo)).rejects.toThrow(/newer version/);
  });
});
