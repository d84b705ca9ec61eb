import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { TooManyRequestsFailure } from '../common/index.js';
import { AppConfig } from '../config/index.js';

const WINDOW_SECONDS = 60;

export type RateDecision = { allowed: true } | { allowed: false; retryAfterSeconds: number };

/**
 * Counts an account's RPC requests (requirement S9: 600 a minute by default). The minute begins with the first request and is
 * forgotten at its end, so that memory is bounded by the accounts of one minute. The key is the account alone: no spelling of
 * the token, address or forwarding header opens a second count.
 */
@Injectable()
export class RpcRateLimiter {
  private readonly limiter: RateLimiterMemory;

  constructor(config: AppConfig) {
    this.limiter = new RateLimiterMemory({ points: config.limits.rpcPerMinute, duration: WINDOW_SECONDS });
  }

  /** Takes one request. Counting and deciding are one step, so concurrent requests never share a place. */
  async consume(accountId: string): Promise<RateDecision> {
    try {
      await this.limiter.consume(accountId);
      return { allowed: true };
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)) };
    }
  }

  /**
   * Takes one request or fails.
   * @throws TooManyRequestsFailure (429 with `Retry-After`) when the account's minute is used up
   */
  async admit(accountId: string): Promise<void> {
    const decision = await this.consume(accountId);
    if (decision.allowed) return;
    throw new TooManyRequestsFailure('Too many requests in the last minute', decision.retryAfterSeconds);
  }
}
