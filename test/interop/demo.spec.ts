import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HelloProcess } from '../support/hello-process.js';
import { freePort } from '../support/processes.js';

jest.setTimeout(120_000);

let dir: string;
let demo: HelloProcess | undefined;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hello-demo-'));
});
afterEach(async () => {
  await demo?.stop();
  demo = undefined;
  rmSync(dir, { recursive: true, force: true });
});

function start(port: number, ...args: string[]): HelloProcess {
  demo = new HelloProcess(['demo', '--data', join(dir, 'demo'), ...args], {
    cwd: dir,
    env: { PORT: String(port) },
  });
  return demo;
}

describe('hello demo', () => {
  it('[O4] runs API, daemon and a sample assistant, shows the first answer and ends with --once', async () => {
    const port = await freePort();
    const running = start(port, '--once');
    expect(await running.ended).toBe(0);
    expect(running.output).toContain('State  TASK_STATE_COMPLETED');
    expect(running.output).toContain('Reply  Hello');
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
  });

  it('[O4] stays up until Ctrl-C, answers with the token it prints, and takes it again after a restart', async () => {
    const port = await freePort();
    const running = start(port);
    await running.printed(/Ctrl-C stops it/);
    const [, url = ''] = /HELLO_A2A_URL='(.+)'/.exec(running.output) ?? [];
    const [, token = ''] = /HELLO_ACCESS_TOKEN='(.+)'/.exec(running.output) ?? [];
    const env = { HELLO_ACCESS_TOKEN: token };
    const upper = url.replace('@demo/echo', '@demo/upper');
    const send = new HelloProcess(['send', upper, 'hello'], { cwd: dir, env });
    expect(await send.ended).toBe(0);
    expect(send.output).toContain('HELLO');
    expect(await running.stop('SIGINT')).toBe(0);
    await expect(fetch(url)).rejects.toThrow();

    await start(port).printed(/Ctrl-C stops it/);
    const again = new HelloProcess(['send', url, 'again'], { cwd: dir, env });
    expect(await again.ended).toBe(0);
  });

  it('[O4] [P6] prints an approval dialogue over 0.3 that works as it is pasted', async () => {
    const running = start(await freePort());
    await running.printed(/Ctrl-C stops it/);
    const [, commands = ''] = /^( *export HELLO_V03_URL=.*?)\n\nRunning/ms.exec(running.output) ?? [];
    const { stdout } = await promisify(execFile)('bash', ['-c', commands], { cwd: dir });
    const [asked = '', ...events] = stdout.split('\n').filter((line) => /^(data: )?\{/.test(line));
    expect(JSON.parse(asked).result.status).toMatchObject({
      state: 'input-required',
      message: { parts: [{ text: expect.stringContaining('I am fine.') }] },
    });
    expect(JSON.parse(events.at(-1)?.slice('data: '.length) ?? '{}').result).toMatchObject({
      status: { state: 'completed' },
      final: true,
    });
  });

  it('[O4] stops its API and daemon when it is killed itself', async () => {
    const port = await freePort();
    const running = start(port);
    await running.printed(/Ctrl-C stops it/);
    await running.kill();
    const until = Date.now() + 60_000;
    const isUp = () =>
      fetch(`http://127.0.0.1:${port}/healthz`).then(
        () => true,
        () => false,
      );
    while ((await isUp()) && Date.now() < until) await new Promise((next) => setTimeout(next, 100));
    expect(await isUp()).toBe(false);
  });

  it('[K1] keeps its secrets and data private to the user', async () => {
    expect(await start(await freePort(), '--once').ended).toBe(0);
    const folder = join(dir, 'demo');
    const open = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(folder, name)).isFile())
      .filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0);
    expect(open).toEqual([]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const token = readFileSync(join(folder, 'relay-token'), 'utf8').trim();
    expect(readFileSync(join(folder, 'directory.yaml'), 'utf8')).not.toContain(token);
  });

  it('[O4] says in one line that the port is taken', async () => {
    const other = createServer();
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const { port } = other.address() as AddressInfo;
    const running = start(port, '--once');
    expect(await running.ended).toBe(2);
    other.close();
    expect(running.output).toBe(
      `hello: port ${port} is taken; choose another, for example PORT=3001 npm run demo\n`,
    );
  });

  it('[O4] says in one line that its folder cannot be written', async () => {
    writeFileSync(join(dir, 'demo'), 'a file in its place');
    const running = start(await freePort(), '--once');
    expect(await running.ended).toBe(1);
    expect(running.output).toMatch(/^hello: cannot write to .+\n$/);
  });
});
