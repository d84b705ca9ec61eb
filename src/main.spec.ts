import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { signAccountToken } from './accounts/index.js';
import { A2AHandler, A2AMethod, Caller, loadAppConfig, RawParams, serve } from './index.js';
import { StartError } from './main.js';

const SECRET = 'a-secret-of-at-least-32-characters-for-tests';
const folder = mkdtempSync(join(tmpdir(), 'hello-serve-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function configWith(settings: Record<string, string>) {
  return loadAppConfig({
    ACCOUNT_JWT_SECRET: SECRET,
    A2A_STORE_PATH: join(folder, 'a2a.sqlite'),
    PORT: '0',
    LOG_LEVEL: 'silent',
    ...settings,
  });
}

function directoryFile(content: object): string {
  const file = join(folder, 'directory.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

@A2AHandler('1.0')
class GreetingHandler {
  @A2AMethod('x-acme/Greet')
  greet(@RawParams() params: Record<string, unknown>, @Caller() caller: { accountId: string }) {
    return { greeting: `Hello ${caller.accountId}`, params };
  }
}

@Module({ providers: [GreetingHandler] })
class GreetingModule {}

describe('serve', () => {
  it('answers with the handlers of a module that was added', async () => {
    const DIRECTORY_FILE = directoryFile({
      accounts: [{ id: 'account-1', username: 'ann' }],
      computers: [{ id: 'laptop', account: 'account-1', relayToken: 'rt_for-tests' }],
      agents: [
        { id: 'desk', account: 'account-1', handle: 'desk', computer: 'laptop', visibility: 'public' },
      ],
    });
    const server = await serve(configWith({ DIRECTORY_FILE }), { imports: [GreetingModule] });
    try {
      const token = await signAccountToken({ secret: SECRET, accountId: 'stranger', ttlSeconds: 60 });
      const response = await fetch(`${server.url}/a2a/@ann/desk`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'a2a-version': '1.0',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x-acme/Greet', params: { how: 'warmly' } }),
      });
      expect(await response.json()).toEqual({
        jsonrpc: '2.0',
        id: 1,
        result: { greeting: 'Hello stranger', params: { how: 'warmly' } },
      });
    } finally {
      await server.close();
    }
  });

  it('[O1] names PORT when it is taken', async () => {
    const other = createServer();
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const { port } = other.address() as AddressInfo;
    const starting = serve(configWith({ PORT: String(port) }));
    try {
      await expect(starting).rejects.toThrow(`PORT: port ${port} is taken; choose another`);
      await expect(starting).rejects.toThrow(StartError);
    } finally {
      await new Promise((done) => other.close(done));
    }
  });

  it.each([
    [{ HOST: '192.0.2.1' }, 'HOST: 192.0.2.1 is not an address of this computer'],
    [{ HOST: 'no-such-host.invalid' }, 'HOST: no-such-host.invalid is not a known host name'],
    [{ A2A_STORE_PATH: __filename }, 'A2A_STORE_PATH: cannot use the database'],
    [{ DIRECTORY_FILE: join(folder, 'absent') }, 'DIRECTORY_FILE cannot be used: the file: '],
  ])('[O1] [K1] says with %j in one line: %s', async (settings, message) => {
    const starting = serve(configWith(settings));
    await expect(starting).rejects.toThrow(StartError);
    await expect(starting).rejects.toThrow(message);
    await expect(starting).rejects.not.toThrow(/\n/);
  });

  it('[O1] says of a directory with several faults where each is, in one line', async () => {
    const DIRECTORY_FILE = directoryFile({ accounts: [{ id: '', username: 'Ann' }] });
    await expect(serve(configWith({ DIRECTORY_FILE }))).rejects.toThrow(
      /^DIRECTORY_FILE cannot be used: accounts\[0\]\.id: must not be empty; accounts\[0\]\.username: must be [^\n]*$/,
    );
  });
});
