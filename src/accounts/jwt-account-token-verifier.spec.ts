import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose';
import { Clock } from '../common/index.js';
import type { AppConfig } from '../config/index.js';
import { JwtAccountTokenVerifier } from './jwt-account-token-verifier.js';
import { signAccountToken } from './sign-account-token.js';

const SECRET = 'a-secret-for-tests-that-is-long-enough';
const START_MS = Date.UTC(2026, 0, 1);
const START_S = START_MS / 1000;

class SetClock extends Clock {
  constructor(public nowMs = START_MS) {
    super();
  }
  now(): number {
    return this.nowMs;
  }
}

const clock = new SetClock();

beforeEach(() => {
  clock.nowMs = START_MS;
});

function verifierFor(accounts: Partial<AppConfig['accounts']> = {}): JwtAccountTokenVerifier {
  const settings = {
    jwtSecret: SECRET,
    jwksUrl: undefined,
    issuer: undefined,
    audience: undefined,
    ...accounts,
  };
  return new JwtAccountTokenVerifier({ accounts: settings } as AppConfig, clock);
}

function tokenWith(
  claims: Record<string, unknown>,
  options: { alg?: string; secret?: string } = {},
): Promise<string> {
  return new SignJWT({ exp: START_S + 60, sub: 'alice', ...claims })
    .setProtectedHeader({ alg: options.alg ?? 'HS256' })
    .sign(new TextEncoder().encode(options.secret ?? SECRET.padEnd(64, '-')));
}

/** HS384 and HS512 want longer keys than HS256; the verifier of these tests has one long enough for all. */
const verifier = () => verifierFor({ jwtSecret: SECRET.padEnd(64, '-') });

describe('JwtAccountTokenVerifier with a secret', () => {
  it('[H1] answers the account of a token that the secret signed', async () => {
    const token = await signAccountToken({ secret: SECRET, accountId: 'alice', ttlSeconds: 60, clock });
    await expect(verifierFor().verify(token)).resolves.toBe('alice');
  });

  it('[H1] refuses a token that another secret signed', async () => {
    const token = await tokenWith({}, { secret: 'another-secret-that-is-long-enough-too' });
    await expect(verifier().verify(token)).resolves.toBeUndefined();
  });

  it('[H1] refuses a token whose claims were changed after signing', async () => {
    const [header, , signature] = (await tokenWith({})).split('.');
    const claims = Buffer.from(JSON.stringify({ exp: START_S + 60, sub: 'mallory' })).toString('base64url');
    await expect(verifier().verify(`${header}.${claims}.${signature}`)).resolves.toBeUndefined();
  });

  it('[H1] requires exp and refuses a token past it, with a tolerance of five seconds', async () => {
    const token = await tokenWith({});
    clock.nowMs = START_MS + 64_000;
    await expect(verifier().verify(token)).resolves.toBe('alice');
    clock.nowMs = START_MS + 65_000;
    await expect(verifier().verify(token)).resolves.toBeUndefined();
    clock.nowMs = START_MS;
    await expect(verifier().verify(await tokenWith({ exp: undefined }))).resolves.toBeUndefined();
  });

  it('[H1] refuses a token before its nbf', async () => {
    const token = await tokenWith({ nbf: START_S + 10 });
    await expect(verifier().verify(token)).resolves.toBeUndefined();
    clock.nowMs = START_MS + 10_000;
    await expect(verifier().verify(token)).resolves.toBe('alice');
  });

  it('[H1] requires the issuer and the audience that are set', async () => {
    const strict = verifierFor({ issuer: 'https://id.example', audience: 'hello' });
    const sign = (issuer?: string, audience?: string) =>
      signAccountToken({ secret: SECRET, accountId: 'alice', ttlSeconds: 60, clock, issuer, audience });
    await expect(strict.verify(await sign('https://id.example', 'hello'))).resolves.toBe('alice');
    await expect(strict.verify(await sign('https://id.other', 'hello'))).resolves.toBeUndefined();
    await expect(strict.verify(await sign('https://id.example', 'other'))).resolves.toBeUndefined();
    await expect(strict.verify(await sign())).resolves.toBeUndefined();
  });

  it.each([
    ['absent', undefined],
    ['empty', ''],
    ['blank', '  '],
    ['null', null],
    ['a number', 7],
    ['an object', {}],
    ['an array', ['alice']],
    ['129 characters', 'a'.repeat(129)],
    ['with a NUL', 'alice\u0000'],
    ['with a lone surrogate', 'alice\ud800'],
  ])('[B143] refuses a sub that is %s', async (_name, sub) => {
    const token = await tokenWith({ sub });
    await expect(verifier().verify(token)).resolves.toBeUndefined();
  });

  it('[B143] takes a sub of 128 characters', async () => {
    await expect(verifier().verify(await tokenWith({ sub: 'a'.repeat(128) }))).resolves.toBe('a'.repeat(128));
  });

  it('[H2] refuses alg none', async () => {
    const token = new UnsecuredJWT({ sub: 'alice', exp: START_S + 60 }).encode();
    await expect(verifier().verify(token)).resolves.toBeUndefined();
  });

  it.each(['HS384', 'HS512'])('[H2] refuses %s, which the secret is not for', async (alg) => {
    await expect(verifier().verify(await tokenWith({}, { alg }))).resolves.toBeUndefined();
  });

  it.each<[string, Record<string, unknown>]>([
    ['role service_role', { role: 'service_role' }],
    ['role in another case', { role: ' Service_Role ' }],
    ['role supabase_admin', { role: 'supabase_admin' }],
    ['role anon', { role: 'anon' }],
    ['a list of roles', { role: ['authenticated', 'service_role'] }],
    ['roles', { roles: ['service_role'] }],
    ['app_metadata.role', { role: 'authenticated', app_metadata: { role: 'service_role' } }],
    ['app_metadata.roles', { app_metadata: { roles: ['service_role'] } }],
  ])('[H2] refuses a token with a service role: %s', async (_name, claims) => {
    await expect(verifier().verify(await tokenWith(claims))).resolves.toBeUndefined();
  });

  it.each<[string, Record<string, unknown>]>([
    ['role authenticated', { role: 'authenticated' }],
    ['app_metadata null', { app_metadata: null }],
    ['a role that users wrote themselves', { user_metadata: { role: 'service_role' } }],
  ])('[H2] takes a token with %s', async (_name, claims) => {
    await expect(verifier().verify(await tokenWith(claims))).resolves.toBe('alice');
  });

  it.each([
    '',
    'x',
    'a.b.c',
    '...',
    'rt_abc',
    'hi_abc',
    '\u0000',
    'é.é.é',
    `${'a'.repeat(5000)}.b.${'c'.repeat(5000)}`,
  ])('[H2] [B57] refuses what is not an account token: %p', async (token) => {
    await expect(verifier().verify(token)).resolves.toBeUndefined();
  });

  it('[H2] refuses a relay token or API key even when a valid token hides behind the prefix', async () => {
    const token = await tokenWith({});
    await expect(verifier().verify(`rt_${token}`)).resolves.toBeUndefined();
    await expect(verifier().verify(`hi_${token}`)).resolves.toBeUndefined();
  });

  it('refuses a well-signed token over 8 KiB', async () => {
    await expect(verifier().verify(await tokenWith({ pad: 'x'.repeat(8192) }))).resolves.toBeUndefined();
    await expect(verifier().verify(await tokenWith({ pad: 'x'.repeat(4096) }))).resolves.toBe('alice');
  });
});

describe('the memory of verified tokens', () => {
  it('verifies the signature of a repeated token once', async () => {
    const subject = verifier();
    const token = await tokenWith({});
    const verify = jest.spyOn(globalThis.crypto.subtle, 'verify');
    try {
      await subject.verify(token);
      const once = verify.mock.calls.length;
      await subject.verify(token);
      expect(once).toBeGreaterThan(0);
      expect(verify.mock.calls.length).toBe(once);
    } finally {
      verify.mockRestore();
    }
  });

  it('[H1] never outlives exp', async () => {
    const subject = verifier();
    const token = await tokenWith({});
    await subject.verify(token);
    clock.nowMs = START_MS + 65_000;
    await expect(subject.verify(token)).resolves.toBeUndefined();
  });

  it('keeps refusing what it refused', async () => {
    const subject = verifier();
    const token = await tokenWith({ role: 'service_role' });
    await subject.verify(token);
    await expect(subject.verify(token)).resolves.toBeUndefined();
  });
});

describe('signAccountToken', () => {
  it('sets sub, iat, exp, issuer and audience and nothing else', async () => {
    const token = await signAccountToken({
      secret: SECRET,
      accountId: 'a',
      ttlSeconds: 9,
      issuer: 'i',
      audience: 'u',
      clock,
    });
    expect(decodeJwt(token)).toEqual({ sub: 'a', iat: START_S, exp: START_S + 9, iss: 'i', aud: 'u' });
  });
});
