import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { capturedTerminal } from '../../test/support/captured-terminal.js';
import { defaultDaemonConfig, startDaemon } from '../daemon/index.js';
import { main } from './main.js';

let dir: string;
let server: Server | undefined;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hello-cli-'));
});
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
  rmSync(dir, { recursive: true, force: true });
});

async function daemon(args: string[], env: Record<string, string> = {}) {
  const terminal = capturedTerminal(env);
  return {
    code: await main(['node', 'hello', 'daemon', '--data', join(dir, 'jobs'), ...args], terminal),
    ...terminal,
  };
}

function configFile(text: string): string {
  const file = join(dir, 'daemon.yaml');
  writeFileSync(file, text);
  return file;
}

describe('hello daemon', () => {
  it('--check ends with code 0 for a right configuration, without an address or a token', async () => {
    const file = configFile(
      'agents: { helper: { runtime: command, command: [cat] }, "*": { runtime: echo } }',
    );
    const { code, stdout, stderr } = await daemon(['--config', file, '--check'], { PATH: '/usr/bin:/bin' });
    expect(code).toBe(0);
    expect(stdout).toEqual(['The configuration is right: helper, *']);
    expect(stderr).toEqual([]);
  });

  it('says in one line, with code 2, what is wrong with the configuration', async () => {
    const file = configFile('agents: { helper: { runtime: nonsense } }\nconcurrency: 0');
    const { code, stderr } = await daemon(['--config', file, '--check']);
    expect(code).toBe(2);
    expect(stderr).toHaveLength(1);
    expect(stderr[0]).toContain('concurrency');
    expect(stderr[0]).toContain('agents.helper.runtime');
  });

  const url = ['--url', 'ws://localhost/relay', '--token', 'rt_x'];

  it.each([
    [
      'agents: { ai: { runtime: openai, baseUrl: "http://x", model: m, apiKeyEnv: NO_KEY } }',
      'agents.ai.apiKeyEnv: the environment variable NO_KEY is not set',
    ],
    ['agents: {}', 'agents: there are none'],
    ['agents: { a: { runtime: command, command: [./job.sh] } }', 'job.sh is no executable file'],
    [
      'agents: { a: { runtime: workflow, steps: [{ reply: x }, { command: [/no/such] }] } }',
      'agents.a.steps.1.command: /no/such is no executable file',
    ],
    ['agents: { a', 'line 1'],
  ])('refuses %j in the same line with code 2 for --check and at the start', async (text, words) => {
    const file = configFile(text);
    const ends = [await daemon(['--config', file, '--check']), await daemon(['--config', file, ...url])];
    for (const { code, stderr } of ends) {
      expect(code).toBe(2);
      expect(stderr).toEqual([expect.stringContaining(words)]);
      expect(stderr[0]).toMatch(/^hello: \S+daemon\.yaml: /);
      expect(stderr[0]).not.toMatch(/[:;]\s*;|\n/);
    }
    expect(ends[0]?.stderr).toEqual(ends[1]?.stderr);
  });

  it('--check warns of a program that is not on PATH, which may come later', async () => {
    const file = configFile('agents: { a: { runtime: command, command: [no-such-program] } }');
    const { code, stderr } = await daemon(['--config', file, '--check'], { PATH: '/usr/bin:/bin' });
    expect(code).toBe(0);
    expect(stderr).toEqual([
      `hello: warning: ${file}: agents.a.command: there is no program "no-such-program" on PATH`,
    ]);
  });

  it('says in one line, with code 16, why --data cannot be used', async () => {
    const data = join(dir, 'jobs');
    const saying = async (words: string): Promise<void> => {
      const { code, stderr } = await daemon(url);
      expect(stderr).toEqual([`hello: --data ${data}: ${words}`]);
      expect(code).toBe(16);
    };
    writeFileSync(data, 'a file');
    await saying('it is no folder');
    rmSync(data);
    mkdirSync(data);
    writeFileSync(join(data, 'daemon.sqlite'), 'no database'.repeat(1000));
    await saying('its daemon.sqlite is no job database');
    rmSync(join(data, 'daemon.sqlite'));
    mkdirSync(join(data, 'daemon.sqlite'));
    await saying('its daemon.sqlite cannot be opened');
  });

  it('says in one line, with code 16, what a second daemon on one --data can do', async () => {
    const data = join(dir, 'jobs');
    const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const first = await startDaemon({
      url: 'ws://127.0.0.1:1/relay',
      token: 'rt_x',
      config: defaultDaemonConfig('echo'),
      dataDir: data,
      logger: silent,
    });
    try {
      const { code, stdout, stderr } = await daemon(url);
      expect([...stdout, ...stderr]).toEqual([
        `hello: --data ${data}: another daemon is already running with it; stop that one, or choose another folder`,
      ]);
      expect(code).toBe(16);
    } finally {
      await first.stop({ drainMs: 0 });
    }
  });

  it.each([
    [['--url', 'ws://localhost/relay#part', '--token', 'rt_x'], 'fragment'],
    [['--url', 'ws://localhost/relay', '--token', 'rt_x y'], 'relay token'],
    [[], 'HELLO_RELAY_URL'],
    [['--url', 'http://localhost/relay'], 'ws:// or wss://'],
    [['--url', 'ws://localhost/relay'], 'HELLO_RELAY_TOKEN'],
    [['--runtime', 'openai'], 'openai'],
  ])('names what is missing for %j', async (args, words) => {
    const { code, stderr } = await daemon(args);
    expect(code).toBe(2);
    expect(stderr).toHaveLength(1);
    expect(stderr[0]).toContain(words);
  });

  it('[R1] [H2] ends with code 10 when the service refuses the token, which it does not print', async () => {
    server = createServer((_request, response) => response.writeHead(401).end());
    const listening = server;
    await new Promise<void>((done) => listening.listen(0, '127.0.0.1', done));
    const url = `ws://127.0.0.1:${(listening.address() as AddressInfo).port}/relay`;
    const { code, stderr } = await daemon(['--url', url], { HELLO_RELAY_TOKEN: 'rt_secret-token' });
    expect(code).toBe(10);
    expect(stderr.at(-1)).toBe('hello: The API does not accept the relay token (HTTP 401).');
    expect(stderr.join('\n')).not.toContain('secret-token');
  });
});
