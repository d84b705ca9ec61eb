import { jest } from '@jest/globals';
import { ForbiddenException, Logger, UnauthorizedException } from '@nestjs/common';
import { TooManyRequestsFailure, UnauthorizedFailure } from '../common/index.js';
import { KeySetUnavailableError } from './accounts.errors.js';
import { VERIFIER_LIMIT_MS, askedAccount } from './asked-account.js';

const asked = (ask: (credential: string) => unknown) =>
  askedAccount({ credential: 'the-token', ask, origin: 'TeamVerifier.verify' });

describe('whose a credential is', () => {
  let logged: string[];
  beforeEach(() => {
    logged = [];
    jest.spyOn(Logger.prototype, 'error').mockImplementation((line: unknown) => {
      logged.push(typeof line === 'string' ? line : String((line as { msg: string }).msg));
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  it('[H1] is what a verifier answers, at once or later', async () => {
    expect(await asked(() => 'alice')).toBe('alice');
    expect(await asked(async () => 'alice')).toBe('alice');
    expect(await asked(() => new Promise((resolve) => setImmediate(() => resolve('alice'))))).toBe('alice');
  });

  it.each<[string, () => unknown]>([
    ['undefined', () => undefined],
    ['null', async () => null],
    ['an exception of status 401', () => Promise.reject(new UnauthorizedException('expired'))],
    ['an exception of status 403', () => Promise.reject(new ForbiddenException())],
    ['a failure of status 401', () => Promise.reject(new UnauthorizedFailure())],
  ])('[H1] is nobody for %s', async (_, ask) => {
    expect(await asked(ask)).toBeUndefined();
    expect(logged).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['an object', { accountId: 'alice' }],
    ['a number', 7],
    ['true', true],
    ['false', false],
    ['an empty text', ''],
    ['blanks', '  '],
    ['a text that is too long', 'a'.repeat(129)],
    ['control characters', 'alice\u0000'],
  ])('[H1] lets nobody in with %s', async (_, answer) => {
    await expect(asked(async () => answer)).rejects.toThrow(KeySetUnavailableError);
    expect(logged).toEqual([expect.stringMatching(/^TeamVerifier\.verify answered neither/)]);
  });

  it('[H2] is not known when the verifier fails; the log has its text without the credential', async () => {
    const fail = () => {
      throw new TypeError('no session for the-token in shard 3');
    };
    const failure: unknown = await asked(fail).catch((error: unknown) => error);
    expect(failure).toMatchObject({ status: 503, message: 'Access tokens cannot be verified at the moment' });
    expect(logged.join()).toContain('no session for [credential] in shard 3');
    expect(logged.join()).not.toContain('the-token');
  });

  it('[H1] passes on what a verifier says on purpose', async () => {
    const busy = new TooManyRequestsFailure('Slow down', 3);
    await expect(asked(() => Promise.reject(busy))).rejects.toBe(busy);
  });

  it('[W5] is not waited for longer than ten seconds', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const answer = asked(() => new Promise(() => undefined)).catch((error: unknown) => error);
    await new Promise((resolve) => setImmediate(resolve));
    expect(jest.getTimerCount()).toBe(1);
    jest.advanceTimersByTime(VERIFIER_LIMIT_MS);
    expect(await answer).toBeInstanceOf(KeySetUnavailableError);
    expect(logged).toEqual([expect.stringContaining('no answer within 10 seconds')]);
  });

  it('needs no timer for what is known at once', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const timers = jest.spyOn(global, 'setTimeout');
    expect(await asked(async () => 'alice')).toBe('alice');
    expect(timers).not.toHaveBeenCalled();
  });
});
