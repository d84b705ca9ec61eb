import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { capturedTerminal } from '../../test/support/captured-terminal.js';
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
    const { code, stdout } = await daemon(['--config', file, '--check']);
    expect(code).toBe(0);
    expect(stdout).toEqual(['The configuration is right: helper, *']);
  });

  it('says in one line, with code 2, what is wrong with the configuration', async () => {
    const file = configFile('agents: { helper: { runtime: nonsense } }\nconcurrency: 0');
    const { code, stderr } = await daemon(['--config', file, '--check']);
    expect(code).toBe(2);
    expect(stderr).toHaveLength(1);
    expect(stderr[0]).toContain('concurrency');
    expect(stderr[0]).toContain('agents.helper.runtime');
  });

  it.each([
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
