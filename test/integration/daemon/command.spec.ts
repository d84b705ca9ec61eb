import { readFileSync, writeFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseDaemonConfig } from '../../../src/daemon/index.js';
import { DaemonBench, order, script } from './support/daemon-bench.js';
import type { FakeApi } from './support/fake-api.js';

describe('the command runtime', () => {
  let bench: DaemonBench;
  beforeEach(() => (bench = new DaemonBench()));
  afterEach(() => bench.end());

  async function run(agent: object, changes = {}, environment?: Record<string, string>) {
    const api = await bench.api();
    await bench.daemon(api, { agents: { '*': agent } }, environment ? { environment } : {});
    const job = order(changes);
    await (await api.session()).submit(job);
    return { api, job, report: await finished(api, job.jobId) };
  }

  const finished = (api: FakeApi, jobId: string) =>
    api.until('the end of the job', () =>
      api.updates.find(
        (each) => each.jobId === jobId && ['succeeded', 'failed', 'canceled'].includes(each.state),
      ),
    );

  /** Gone, or a corpse that only waits for somebody to take note. */
  function isGone(pid: number): boolean {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
    } catch {
      return true;
    }
  }

  async function pidsFrom(file: string): Promise<number[]> {
    const deadline = Date.now() + 60_000;
    while (!existsSync(file) || readFileSync(file, 'utf8').trim().split('\n').length < 2) {
      if (Date.now() > deadline) throw new Error(`${file} was not written`);
      await pause(10);
    }
    return readFileSync(file, 'utf8').trim().split('\n').map(Number);
  }

  /** Two processes that ignore SIGTERM and write down who they are. */
  const tree = (file: string) => `
    const { spawn } = require('node:child_process');
    const { appendFileSync } = require('node:fs');
    process.on('SIGTERM', () => undefined);
    const child = "process.on('SIGTERM', () => undefined);" +
      "require('node:fs').appendFileSync('${file}', process.pid + '\\\\n');" +
      "setInterval(() => undefined, 1000)";
    spawn(process.execPath, ['-e', child], { stdio: 'inherit' });
    appendFileSync(${JSON.stringify(file)}, process.pid + '\\n');
    setInterval(() => undefined, 1000);
  `;

  it('[G5] a cancel ends the whole process tree, also one that ignores SIGTERM', async () => {
    const file = join(bench.dataDir, 'pids');
    const api = await bench.api();
    await bench.daemon(api, { agents: { '*': script(tree(file)) } });
    const session = await api.session();
    const job = order();
    await session.submit(job);
    const pids = await pidsFrom(file);
    expect(await session.cancel(job.jobId)).toMatchObject({ state: 'canceled' });
    expect(pids.map(isGone)).toEqual([true, true]);
  });

  it('ends a program and its children at the time limit and says so', async () => {
    const file = join(bench.dataDir, 'pids');
    const { report } = await run(script(tree(file), { timeoutSeconds: 5 }));
    expect(report).toMatchObject({ state: 'failed', statusText: expect.stringContaining('time limit') });
    expect((await pidsFrom(file)).map(isGone)).toEqual([true, true]);
  });

  it('kills what a program leaves behind when it ends by itself', async () => {
    const file = join(bench.dataDir, 'pids');
    const source = `${tree(file)}
      const written = () => require('node:fs').readFileSync(${JSON.stringify(file)}, 'utf8').trim().split('\\n').length;
      setInterval(() => written() === 2 && process.exit(0), 20);`;
    const { report } = await run(script(source));
    expect(report.state).toBe('succeeded');
    expect((await pidsFrom(file)).map(isGone)).toEqual([true, true]);
  });

  it('sees a clean environment: PATH, HELLO_* and what is allowed by name', async () => {
    const { job, report } = await run(
      script('console.log(JSON.stringify(process.env))', { env: ['ALLOWED', 'NOT_SET'] }),
      {},
      { PATH: process.env.PATH ?? '', ALLOWED: 'yes', SECRET: 'no', HELLO_RELAY_TOKEN: 'rt_secret' },
    );
    const seen = JSON.parse(report.reply ?? '') as Record<string, string>;
    expect(seen).toEqual({
      PATH: process.env.PATH,
      ALLOWED: 'yes',
      HELLO_JOB_ID: job.jobId,
      HELLO_CONTEXT_ID: 'context-1',
      HELLO_MESSAGE_ID: 'message-1',
    });
  });

  it('[O2] gives the program the trace of its job, and the log as well', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const printed = script('process.stdout.write(String(process.env.TRACEPARENT))');
    const { report, job } = await run(printed, { traceparent });
    expect(report.reply).toBe(traceparent);
    expect(bench.log).toContainEqual({
      level: 'info',
      message: 'A job was run',
      fields: { jobId: job.jobId, agent: 'helper', state: 'succeeded', traceparent },
    });
  });

  it('[O2] lets nothing else pass for a trace', async () => {
    const printed = script('process.stdout.write(String(process.env.TRACEPARENT))');
    expect((await run(printed, { traceparent: '00-x' })).report.reply).toBe('undefined');
  });

  it('runs in the folder of its conversation, where it finds again what it left', async () => {
    const source = `const fs = require('fs');
      console.log(fs.existsSync('note') ? fs.readFileSync('note', 'utf8') : 'new');
      fs.writeFileSync('note', 'kept')`;
    const { api, report } = await run(script(source));
    expect(report.reply).toBe('new');
    const next = order();
    await (await api.session()).submit(next);
    expect((await finished(api, next.jobId)).reply).toBe('kept');
  });

  it('explains a failure with the last line of standard error', async () => {
    const { report } = await run(
      script(`console.error('first'); console.error('disk on fire'); process.exit(3)`),
    );
    expect(report).toMatchObject({ state: 'failed', statusText: 'disk on fire' });
  });

  it('[B15] explains an error that nobody caught by its message, not by a frame of its stack', async () => {
    const { report } = await run(script(`throw new Error('disk on fire')`));
    expect(report).toMatchObject({ state: 'failed', statusText: 'Error: disk on fire' });
  });

  it('explains a failure without any words with the exit code', async () => {
    expect((await run(script('process.exit(3)'))).report.statusText).toMatch(/exit code 3/);
  });

  it('bounds an explanation of any length', async () => {
    const { report } = await run(script(`process.stderr.write('x'.repeat(1e6)); process.exitCode = 1`));
    expect(report.state).toBe('failed');
    expect(report.statusText?.length).toBeLessThanOrEqual(500);
  });

  it('says when the program is not there', async () => {
    const { report } = await run({ runtime: 'command', command: ['no-such-program-at-all'] });
    expect(report).toMatchObject({ state: 'failed', statusText: expect.stringContaining('not found') });
  });

  it('does not mind a program that never reads its input', async () => {
    const { report } = await run(script(`process.stdin.destroy(); console.log('fine')`), {
      message: { messageId: 'm', text: 'x'.repeat(1_000_000) },
    });
    expect(report).toMatchObject({ state: 'succeeded', reply: 'fine' });
  });

  it('[S10] cuts endless output at a character and lets memory be', async () => {
    const before = process.memoryUsage().rss;
    const source = `const piece = '👋'.repeat(10_000); let left = 2500;
      const write = () => { while (left-- > 0) if (!process.stdout.write(piece)) return process.stdout.once('drain', write); };
      write();`;
    const { report } = await run(script(source));
    expect(report).toMatchObject({ state: 'succeeded', replyTruncated: true });
    expect(report.reply).toBe('👋'.repeat(100_000));
    expect(process.memoryUsage().rss - before).toBeLessThan(90 * 1024 * 1024);
  });

  it('keeps characters whole that arrive in pieces', async () => {
    const source = `const bytes = Buffer.from('é👋'); let index = 0;
      const next = () => { if (index < bytes.length) process.stdout.write(bytes.subarray(index, ++index), () => setTimeout(next, 5)); };
      next();`;
    const { api, report } = await run(script(source));
    expect(report.reply).toBe('é👋');
    expect(api.deltas.map((delta) => delta.text).join('')).toBe('é👋');
  });

  it('passes arguments as they are, without a shell', async () => {
    const command = [process.execPath, '-e', 'console.log(process.argv[1])', '$(touch hacked); `id`'];
    const { report } = await run({ runtime: 'command', command });
    expect(report.reply).toBe('$(touch hacked); `id`');
  });

  it('finds a program and a script beside the configuration file', () => {
    const dir = mkdtempSync(join(tmpdir(), 'hello-config-'));
    writeFileSync(join(dir, 'job.mjs'), '');
    const config = parseDaemonConfig(
      'agents: { a: { runtime: command, command: [node, job.mjs, other] }, b: { runtime: command, command: [./run.sh] } }',
      dir,
    );
    expect(config.agents.a).toMatchObject({ command: ['node', join(dir, 'job.mjs'), 'other'] });
    expect(config.agents.b).toMatchObject({ command: [join(dir, 'run.sh')] });
    rmSync(dir, { recursive: true });
  });
});
