import { isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.js';
import { TooManyRequestsFailure } from './http-failures.js';
import { Tally } from './tally.js';

const WINDOW_MS = 60_000;
/** Addresses that are counted at once; past that the one that was quiet for longest is forgotten. */
const MAX_ADDRESSES = 10_000;

/** What was not valid: an account token, an API key, a relay token. */
export type Credential = 'account_token' | 'api_key' | 'relay_token';

interface Minute {
  failures: number;
  endsAtMs: number;
}

/**
 * Counts credentials that were not valid, by the address at the other end of the socket (ADR 0010). Forwarding headers
 * are not looked at: a client can write what it likes into them (case B62). Only a failing request is ever refused, so
 * that nobody can lock out those who share an address, such as that of a proxy.
 */
export class LoginFailures {
  /** For metrics. */
  readonly counts = new Tally<Credential>(['account_token', 'api_key', 'relay_token']);
  /** Failures that were answered with 429; for metrics. */
  refused = 0;
  private readonly minutes = new LRUCache<string, Minute>({ max: MAX_ADDRESSES });

  constructor(
    private readonly limitPerMinute: number,
    private readonly clock: Clock,
  ) {}

  /**
   * Notes that a credential was not valid.
   * @param address of the socket's other end
   * @throws TooManyRequestsFailure when the address has used up its failures of this minute
   */
  note(credential: Credential, address: string | undefined): void {
    this.counts.add(credential);
    const nowMs = this.clock.now();
    const minute = this.minuteOf(bucketOf(address), nowMs);
    minute.failures += 1;
    if (minute.failures <= this.limitPerMinute) return;
    this.refused += 1;
    throw new TooManyRequestsFailure(
      'Too many credentials that are not valid came from this address',
      (minute.endsAtMs - nowMs) / 1000,
    );
  }

  private minuteOf(bucket: string, nowMs: number): Minute {
    const known = this.minutes.get(bucket);
    if (known && nowMs < known.endsAtMs) return known;
    const minute = { failures: 0, endsAtMs: nowMs + WINDOW_MS };
    this.minutes.set(bucket, minute);
    return minute;
  }
}

/** What a bearer token claims to be, by its form alone. */
export function credentialIn(authorization: string): Credential {
  if (/\bhi_/.test(authorization)) return 'api_key';
  return /\brt_/.test(authorization) ? 'relay_token' : 'account_token';
}

/** One customer has a whole IPv6 network of 64 bits, and one IPv4 address. */
function bucketOf(address = 'unknown'): string {
  if (!isIPv6(address) || address.includes('.')) return address.replace(/^::ffff:/i, '');
  const [head = '', tail = ''] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const after = tail.split(':').filter((group) => group !== '');
  while (groups.length + after.length < 8 && address.includes('::')) groups.push('0');
  return [...groups, ...after].slice(0, 4).join(':');
}
