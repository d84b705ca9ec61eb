import { describe, expect, it } from '@jest/globals';
import { jwtVerify } from 'jose';
import { capturedTerminal } from '../../test/support/captured-terminal.js';
import { hashSecret } from '../common/index.js';
import { main } from './main.js';

const SECRET = 'a-secret-of-at-least-32-characters-for-tests';

async function hello(args: string[], env: Record<string, string> = {}) {
  const terminal = capturedTerminal(env);
  return { code: await main(['node', 'hello', ...args], terminal), ...terminal };
}

describe('hello', () => {
  it.each([['nonsense'], ['send'], ['send', '--nonsense'], ['token', 'issue']])(
    'ends wrong use (%s %s) with code 2 and a line on stderr',
    async (...args) => {
      const { code, stdout, stderr } = await hello(args);
      expect(code).toBe(2);
      expect(stdout).toEqual([]);
      expect(stderr[0]).toMatch(/^error: /);
    },
  );

  it('prints its help on stdout and ends with code 0', async () => {
    const { code, stdout } = await hello(['send', '--help']);
    expect(code).toBe(0);
    expect(stdout.join('\n')).toContain('Exit codes:');
  });
});

describe('hello token issue', () => {
  const settings = {
    ACCOUNT_JWT_SECRET: SECRET,
    ACCOUNT_JWT_ISSUER: 'https://issuer',
    ACCOUNT_JWT_AUDIENCE: 'hello',
  };

  it('[H1] prints a token of the account alone, for the issuer and audience of the settings', async () => {
    const { code, stdout, stderr } = await hello(
      ['token', 'issue', '--account', 'acc-1', '--ttl', '2h'],
      settings,
    );
    expect({ code, lines: stdout.length, stderr }).toEqual({ code: 0, lines: 1, stderr: [] });
    const { payload } = await jwtVerify(stdout[0] ?? '', new TextEncoder().encode(SECRET), {
      issuer: 'https://issuer',
      audience: 'hello',
    });
    expect(payload.sub).toBe('acc-1');
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(7200);
  });

  it('[O1] names the setting that is missing', async () => {
    const { code, stderr } = await hello(['token', 'issue', '--account', 'acc-1']);
    expect(code).toBe(2);
    expect(stderr).toHaveLength(1);
    expect(stderr[0]).toContain('ACCOUNT_JWT_SECRET');
  });

  it('says where tokens come from when a key set verifies them', async () => {
    const env = { ACCOUNT_JWKS_URL: 'https://issuer/keys' };
    const { code, stderr } = await hello(['token', 'issue', '--account', 'acc-1'], env);
    expect(code).toBe(2);
    expect(stderr[0]).toContain('your account service');
  });
});

describe('hello computer list', () => {
  it.each([
    [__filename, 'cannot read the database'],
    [`${__filename}.none`, 'there is no database'],
  ])('[K1] names A2A_STORE_PATH when it leads to no database: %s', async (path, reason) => {
    const { code, stdout, stderr } = await hello(['computer', 'list'], { A2A_STORE_PATH: path });
    expect({ code, stdout, lines: stderr.length }).toEqual({ code: 2, stdout: [], lines: 1 });
    expect(stderr[0]).toContain(`hello: A2A_STORE_PATH: ${reason}`);
  });
});

describe('hello secret new', () => {
  it.each([
    ['relay', /^rt_[\w-]{43}$/],
    ['link', /^[\w-]{43}$/],
    ['api-key', /^hi_[\w-]{43}$/],
  ])('[R1] prints a new %s secret and the hash that the directory keeps', async (kind, form) => {
    const { code, stdout } = await hello(['secret', 'new', kind]);
    expect(code).toBe(0);
    expect(stdout).toHaveLength(2);
    expect(stdout[0]).toMatch(form);
    expect(stdout[1]).toBe(hashSecret(stdout[0] ?? ''));
  });

  it.each(['other', 'constructor'])('[B21] refuses the kind %s', async (kind) => {
    const { code, stderr } = await hello(['secret', 'new', kind]);
    expect(code).toBe(2);
    expect(stderr).toEqual(['hello: the kind must be one of relay, link, api-key']);
  });
});
