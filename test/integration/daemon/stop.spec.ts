import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DaemonBench, order, script } from './support/daemon-bench.js';

describe('stopping the daemon', () => {
  let bench: DaemonBench;
  beforeEach(() => (bench = new DaemonBench()));
  afterEach(() => bench.end());

  const agents = {
    // Ends after so many milliseconds, or once there is such a file.
    '*': script(`process.stdin.on('data', (text) => {
      const end = () => { console.log('done'); process.exit(); };
      if (Number(text) > 0) return setTimeout(end, Number(text));
      setInterval(() => require('node:fs').existsSync(String(text)) && end(), 20);
    })`),
  };

  it('[R8] tells that it drains, takes no more jobs, lets running ones finish and closes with 1001', async () => {
    const api = await bench.api();
    const daemon = await bench.daemon(api, { concurrency: 1, agents });
    const session = await api.session();
    const gate = join(bench.dataDir, 'gate');
    const [running, queued] = [order({}, gate), order({}, '1')];
    await session.submit(running);
    await session.submit(queued);
    await api.update(running.jobId, 'running');
    const stopped = daemon.stop({ drainMs: 20_000 });
    await api.until('the notice', () => api.drainingNotices === 1);
    await expect(session.submit(order())).rejects.toMatchObject({ reason: 'draining' });
    expect(await session.submit(queued)).toEqual({ state: 'queued', revision: 1 });
    writeFileSync(gate, '');
    expect(await api.update(running.jobId, 'succeeded')).toMatchObject({ reply: 'done' });
    await stopped;
    expect(await daemon.finished).toEqual({ reason: 'stopped' });
    expect(await api.until('the close', () => session.closed)).toMatchObject({ code: 1001 });
    await bench.daemon(api, { concurrency: 1, agents });
    await api.update(queued.jobId, 'succeeded');
  });

  it('[R8] stops what does not finish in time and reports it as failed before it leaves', async () => {
    const api = await bench.api();
    const daemon = await bench.daemon(api, { agents });
    const session = await api.session();
    const job = order({}, '60000');
    await session.submit(job);
    await api.update(job.jobId, 'running');
    await daemon.stop({ drainMs: 50 });
    expect(await api.update(job.jobId, 'failed')).toMatchObject({
      statusText: expect.stringContaining('stopped'),
    });
  });

  it('a second call cuts the wait short', async () => {
    const api = await bench.api();
    const daemon = await bench.daemon(api, { agents });
    const job = order({}, '60000');
    await (await api.session()).submit(job);
    await api.update(job.jobId, 'running');
    const long = daemon.stop({ drainMs: 1_000_000 });
    await daemon.stop({ drainMs: 0 });
    await long;
    await api.update(job.jobId, 'failed');
  });

  it('stops while the API cannot be reached, and gives the job database back', async () => {
    const api = await bench.api();
    await api.stop();
    const daemon = await bench.daemon(api, { agents });
    await daemon.stop({ drainMs: 1000 });
    const again = await bench.daemon(api, { agents });
    await again.stop({ drainMs: 1000 });
    expect(await again.finished).toEqual({ reason: 'stopped' });
  });
});
