import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

const MAX_TOKENS = 10_000;
/** A token is verified anew at least this often, so that a key that its issuer withdrew does not live on here. */
const MAX_AGE_MS = 5 * 60_000;

interface VerifiedToken {
  accountId: string;
  untilMs: number;
}

/**
 * Tokens that were verified a short while ago, because a signature costs more than the rest of a request. Bounded, and
 * keyed by a hash, so that no credential stays in memory for it.
 */
export class VerifiedTokens {
  private readonly tokens = new LRUCache<string, VerifiedToken>({ max: MAX_TOKENS });

  /** The account of a token that is known to be valid at `nowMs`. */
  find(token: string, nowMs: number): string | undefined {
    const known = this.tokens.get(keyOf(token));
    return known && nowMs < known.untilMs ? known.accountId : undefined;
  }

  /** @param expiresAtMs the token's own end; it is never answered from here past that */
  remember(token: string, accountId: string, times: { nowMs: number; expiresAtMs: number }): void {
    const untilMs = Math.min(times.expiresAtMs, times.nowMs + MAX_AGE_MS);
    this.tokens.set(keyOf(token), { accountId, untilMs });
  }
}

function keyOf(token: string): string {
  return hash('sha256', token, 'base64');
}
