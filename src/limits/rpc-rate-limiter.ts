import { Injectable } from '@nestjs/common';
import { TooManyRequestsFailure } from '../common/index.js';
import { AppConfig } from '../config/index.js';

const WINDOW_MS = 60_000;

export type RateDecision = { allowed: true } | { allowed: false; retryAfterSeconds: number };

const ALLOWED: RateDecision = { allowed: true };

interface Minute {
  requests: number;
  endsAtMs: number;
}

/**
 * Counts an account's RPC requests (requirement S9: 600 a minute by default). The minute begins with the first request and is
 * forgotten after its end, so that memory is bounded by the accounts of a minute. The key is the account alone: no spelling of
 * the token, address or forwarding header opens a second count.
 */
@Injectable()
export class RpcRateLimiter {
  /** In the order in which they end, since all are equally long. */
  private readonly minutes = new Map<string, Minute>();

  constructor(private readonly config: AppConfig) {}

  /** Accounts that are counted at the moment. */
  get size(): number {
    return this.minutes.size;
  }

  /** Takes one request. Counting and deciding are one step, so concurrent requests never share a place. */
  consume(accountId: string): RateDecision {
    // A clock that cannot be set back, else a minute might never end.
    const nowMs = performance.now();
    const minute = this.minuteOf(accountId, nowMs);
    minute.requests += 1;
    if (minute.requests <= this.config.limits.rpcPerMinute) return ALLOWED;
    return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil((minute.endsAtMs - nowMs) / 1000)) };
  }

  /**
   * Takes one request or fails.
   * @throws TooManyRequestsFailure (429 with `Retry-After`) when the account's minute is used up
   */
  admit(accountId: string): void {
    const decision = this.consume(accountId);
    if (decision.allowed) return;
    throw new TooManyRequestsFailure('Too many requests in the last minute', decision.retryAfterSeconds);
  }

  private minuteOf(accountId: string, nowMs: number): Minute {
    for (const [account, { endsAtMs }] of this.minutes) {
      if (nowMs < endsAtMs) break;
      this.minutes.delete(account);
    }
    let minute = this.minutes.get(accountId);
    if (!minute) this.minutes.set(accountId, (minute = { requests: 0, endsAtMs: nowMs + WINDOW_MS }));
    return minute;
  }
}
