import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import { Clock } from '../common/index.js';
import type { AppConfig } from '../config/index.js';
import { KeySetUnavailableError } from './accounts.errors.js';
import { JwtAccountTokenVerifier } from './jwt-account-token-verifier.js';
import { RemoteKeySet } from './remote-key-set.js';

const START_MS = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;

class SetClock extends Clock {
  nowMs = START_MS;
  now(): number {
    return this.nowMs;
  }
}

interface Signer {
  alg: string;
  kid: string;
  privateKey: CryptoKey;
  jwk: JWK;
}

async function signer(alg: string, kid: string): Promise<Signer> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { alg, kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig' } };
}

function sign(by: Signer, accountId = 'alice'): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: by.alg, kid: by.kid })
    .setSubject(accountId)
    .setExpirationTime((START_MS + 120 * MINUTE_MS) / 1000)
    .sign(by.privateKey);
}

let clock: SetClock;
let server: Server;
let url: string;
let published: JWK[];
let answer: 'keys' | 'error' | 'garbage' | 'redirect' | 'silence';
let fetches: number;

beforeEach(async () => {
  clock = new SetClock();
  published = [];
  answer = 'keys';
  fetches = 0;
  server = createServer((request, response) => {
    fetches += 1;
    if (answer === 'silence') return;
    if (answer === 'error') return void response.writeHead(500).end();
    if (answer === 'redirect' && request.url === '/')
      return void response.writeHead(302, { location: `${url}/elsewhere` }).end();
    response.end(answer === 'garbage' ? 'not json' : JSON.stringify({ keys: published }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function verifier(jwtSecret?: string): JwtAccountTokenVerifier {
  const accounts = { jwtSecret, jwksUrl: url, issuer: undefined, audience: undefined };
  return new JwtAccountTokenVerifier({ accounts } as AppConfig, clock);
}

describe('verifying with a key set', () => {
  it.each(['RS256', 'ES256', 'EdDSA', 'Ed25519'])(
    '[H1] answers the account of a token signed with %s',
    async (alg) => {
      const key = await signer(alg, 'k1');
      published = [key.jwk];
      await expect(verifier().verify(await sign(key))).resolves.toBe('alice');
    },
  );

  it.each(['RS512', 'PS256', 'ES384'])('[H2] refuses %s, also by a published key', async (alg) => {
    const key = await signer(alg, 'k1');
    published = [key.jwk];
    await expect(verifier().verify(await sign(key))).resolves.toBeUndefined();
  });

  it('[H2] refuses HS256 signed with the text of a public key', async () => {
    const key = await signer('RS256', 'k1');
    published = [key.jwk];
    const forged = await new SignJWT({ sub: 'alice', exp: START_MS })
      .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
      .sign(new TextEncoder().encode(JSON.stringify(key.jwk)));
    await expect(verifier().verify(forged)).resolves.toBeUndefined();
  });

  it('[H2] refuses a key set algorithm where only a secret is configured', async () => {
    const accounts = {
      jwtSecret: 'a-secret-for-tests-that-is-long-enough',
      jwksUrl: undefined,
      issuer: undefined,
      audience: undefined,
    };
    const subject = new JwtAccountTokenVerifier({ accounts } as AppConfig, clock);
    await expect(subject.verify(await sign(await signer('ES256', 'k1')))).resolves.toBeUndefined();
  });

  it('[H1] refuses a key that the set does not have under that id', async () => {
    published = [(await signer('ES256', 'k1')).jwk];
    await expect(verifier().verify(await sign(await signer('ES256', 'k1')))).resolves.toBeUndefined();
  });

  it.each([null, 'text', 7, [], {}])('[H1] uses the good keys of a set that also holds %j', async (odd) => {
    const key = await signer('ES256', 'k1');
    published = [odd as unknown as JWK, key.jwk];
    await expect(verifier().verify(await sign(key))).resolves.toBe('alice');
  });

  it('[H1] fetches the set once for many tokens, also at the same time', async () => {
    const key = await signer('ES256', 'k1');
    published = [key.jwk];
    const subject = verifier();
    const tokens = await Promise.all(Array.from({ length: 10 }, (_, n) => sign(key, `account-${n}`)));
    await Promise.all(tokens.map((token) => subject.verify(token)));
    expect(fetches).toBe(1);
  });

  it('[H1] follows a rotation as soon as a new key id is seen', async () => {
    const [old, next] = [await signer('ES256', 'k1'), await signer('ES256', 'k2')];
    published = [old.jwk];
    const subject = verifier();
    await subject.verify(await sign(old));
    published = [next.jwk];
    clock.nowMs += MINUTE_MS;
    await expect(subject.verify(await sign(next))).resolves.toBe('alice');
  });

  it('[H1] does not ask again for every unknown key id', async () => {
    published = [(await signer('ES256', 'k1')).jwk];
    const subject = verifier();
    const stranger = await signer('ES256', 'made-up');
    for (let n = 0; n < 5; n += 1) await subject.verify(await sign(stranger, `account-${n}`));
    expect(fetches).toBe(1);
  });

  it('[H1] stops trusting a withdrawn key, also for tokens verified before', async () => {
    const key = await signer('ES256', 'k1');
    published = [key.jwk];
    const subject = verifier();
    const token = await sign(key);
    await subject.verify(token);
    published = [(await signer('ES256', 'k2')).jwk];
    clock.nowMs += 11 * MINUTE_MS;
    await expect(subject.verify(token)).resolves.toBeUndefined();
  });
});

describe('when the key set cannot be fetched', () => {
  it.each(['error', 'garbage', 'redirect'] as const)(
    'a token is neither accepted nor called invalid (%s)',
    async (kind) => {
      answer = kind;
      const key = await signer('ES256', 'k1');
      published = [key.jwk];
      const token = await sign(key);
      await expect(verifier().verify(token)).rejects.toBeInstanceOf(KeySetUnavailableError);
    },
  );

  it('a silent issuer is given up after the time-out', async () => {
    answer = 'silence';
    const keySet = new RemoteKeySet(url, clock, 20);
    const attempt = keySet.find({ alg: 'ES256', kid: 'k1' }, { payload: '', signature: '' });
    await expect(attempt).rejects.toBeInstanceOf(KeySetUnavailableError);
  });

  it('it is asked again after a pause, not for every request', async () => {
    answer = 'error';
    const key = await signer('ES256', 'k1');
    const subject = verifier();
    const token = await sign(key);
    await expect(subject.verify(token)).rejects.toBeInstanceOf(KeySetUnavailableError);
    await expect(subject.verify(token)).rejects.toBeInstanceOf(KeySetUnavailableError);
    expect(fetches).toBe(1);
    answer = 'keys';
    published = [key.jwk];
    clock.nowMs += 5_000;
    await expect(subject.verify(token)).resolves.toBe('alice');
  });

  it('the set of before serves on for an hour and no longer', async () => {
    const key = await signer('ES256', 'k1');
    published = [key.jwk];
    const subject = verifier();
    const token = await sign(key);
    await subject.verify(token);
    answer = 'error';
    clock.nowMs = START_MS + 59 * MINUTE_MS;
    await expect(subject.verify(token)).resolves.toBe('alice');
    clock.nowMs = START_MS + 65 * MINUTE_MS;
    await expect(subject.verify(token)).rejects.toBeInstanceOf(KeySetUnavailableError);
  });

  it('tokens of the shared secret are verified all the same', async () => {
    answer = 'error';
    const secret = 'a-secret-for-tests-that-is-long-enough';
    const token = await new SignJWT({ sub: 'bob', exp: START_MS / 1000 + 60 })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(secret));
    await expect(verifier(secret).verify(token)).resolves.toBe('bob');
    expect(fetches).toBe(0);
  });
});
