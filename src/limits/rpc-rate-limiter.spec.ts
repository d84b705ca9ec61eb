import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TooManyRequestsFailure } from '../common/index.js';
import type { AppConfig } from '../config/index.js';
import { RpcRateLimiter } from './index.js';

const limiterOf = (rpcPerMinute: number) => new RpcRateLimiter({ limits: { rpcPerMinute } } as AppConfig);

describe('RpcRateLimiter', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('[S9] [B63] lets exactly the limit of concurrent requests through', async () => {
    const limiter = limiterOf(600);
    const decisions = await Promise.all(Array.from({ length: 650 }, () => limiter.consume('alice')));
    expect(decisions.filter((decision) => decision.allowed)).toHaveLength(600);
  });

  it('[S9] counts accounts apart, whatever they are called', async () => {
    const limiter = limiterOf(1);
    for (const account of ['alice', 'bob', '__proto__', 'constructor']) {
      await expect(limiter.consume(account)).resolves.toEqual({ allowed: true });
      await expect(limiter.consume(account)).resolves.toMatchObject({ allowed: false });
    }
  });

  it('[W5] says when to come again, in whole seconds and never zero', async () => {
    const limiter = limiterOf(1);
    await limiter.consume('alice');
    await expect(limiter.consume('alice')).resolves.toEqual({ allowed: false, retryAfterSeconds: 60 });
    await jest.advanceTimersByTimeAsync(59_900);
    await expect(limiter.consume('alice')).resolves.toEqual({ allowed: false, retryAfterSeconds: 1 });
  });

  it('[W5] [S9] admit fails with 429 and Retry-After once the minute is used up', async () => {
    const limiter = limiterOf(1);
    await limiter.admit('alice');
    const refusal: unknown = await limiter.admit('alice').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(TooManyRequestsFailure);
    expect((refusal as TooManyRequestsFailure).headers()).toEqual({ 'Retry-After': '60' });
  });

  it('[S9] refused requests do not lengthen the wait', async () => {
    const limiter = limiterOf(1);
    await limiter.consume('alice');
    await jest.advanceTimersByTimeAsync(30_000);
    await limiter.consume('alice');
    await jest.advanceTimersByTimeAsync(30_000);
    await expect(limiter.consume('alice')).resolves.toEqual({ allowed: true });
  });

  it('forgets an account when its minute is over', async () => {
    const limiter = limiterOf(1);
    await Promise.all(Array.from({ length: 100 }, (_, n) => limiter.consume(`account-${n}`)));
    expect(jest.getTimerCount()).toBe(100);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(jest.getTimerCount()).toBe(0);
  });
});
