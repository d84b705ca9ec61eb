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
    const decisions = await Promise.all(Array.from({ length: 650 }, async () => limiter.consume('alice')));
    expect(decisions.filter((decision) => decision.allowed)).toHaveLength(600);
  });

  it('[S9] counts accounts apart, whatever they are called', async () => {
    const limiter = limiterOf(1);
    for (const account of ['alice', 'bob', '__proto__', 'constructor']) {
      expect(limiter.consume(account)).toEqual({ allowed: true });
      expect(limiter.consume(account)).toMatchObject({ allowed: false });
    }
  });

  it('[W5] says when to come again, in whole seconds and never zero', async () => {
    const limiter = limiterOf(1);
    limiter.consume('alice');
    expect(limiter.consume('alice')).toEqual({ allowed: false, retryAfterSeconds: 60 });
    jest.advanceTimersByTime(59_900);
    expect(limiter.consume('alice')).toEqual({ allowed: false, retryAfterSeconds: 1 });
  });

  it('[W5] [S9] admit fails with 429 and Retry-After once the minute is used up', async () => {
    const limiter = limiterOf(1);
    limiter.admit('alice');
    const refused = () => limiter.admit('alice');
    expect(refused).toThrow(TooManyRequestsFailure);
    expect(refused).toThrow(expect.objectContaining({ retryAfterSeconds: 60 }));
  });

  it('[S9] refused requests do not lengthen the wait', async () => {
    const limiter = limiterOf(1);
    limiter.consume('alice');
    jest.advanceTimersByTime(30_000);
    limiter.consume('alice');
    jest.advanceTimersByTime(30_000);
    expect(limiter.consume('alice')).toEqual({ allowed: true });
  });

  it('forgets an account when its minute is over', async () => {
    const limiter = limiterOf(1);
    for (let n = 0; n < 100; n += 1) limiter.consume(`account-${n}`);
    jest.advanceTimersByTime(30_000);
    limiter.consume('later');
    expect(limiter.size).toBe(101);
    jest.advanceTimersByTime(30_000);
    limiter.consume('much later');
    expect(limiter.size).toBe(2);
  });
});
