import {
  createLocalJWKSet,
  errors,
  type CryptoKey,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWSHeaderParameters,
} from 'jose';
import type { Clock } from '../common/index.js';
import { KeySetUnavailableError } from './accounts.errors.js';

const FETCH_TIMEOUT_MS = 5_000;
/** How long a fetched set is used without asking again; a withdrawn key is trusted no longer than this. */
const MAX_AGE_MS = 10 * 60_000;
/** How long an old set still serves while the issuer cannot be reached. */
const STALE_LIMIT_MS = 60 * 60_000;
/** Pause between two fetches that unknown key ids ask for, so that made-up ids cannot be used to flood the issuer. */
const UNKNOWN_KEY_COOLDOWN_MS = 30_000;
/** Pause after a failed fetch, so that an outage does not make every request wait for a time-out. */
const FAILURE_COOLDOWN_MS = 5_000;

interface FetchedKeys {
  find: ReturnType<typeof createLocalJWKSet>;
  fetchedAtMs: number;
}

/** The public keys of a token issuer, fetched when needed (RFC 7517). One fetch is under way at a time. */
export class RemoteKeySet {
  private keys: FetchedKeys | undefined;
  private pending: Promise<FetchedKeys> | undefined;
  private failedAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly url: string,
    private readonly clock: Clock,
    private readonly timeoutMs = FETCH_TIMEOUT_MS,
  ) {}

  /**
   * The key that a token says it was signed with. An unknown key id leads to a new fetch, since the issuer may have rotated.
   * @throws KeySetUnavailableError when the keys are needed and cannot be fetched
   * @throws JOSEError when no key of the set fits
   */
  async find(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> {
    const keys = await this.current();
    try {
      return await keys.find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || this.ageOf(keys) < UNKNOWN_KEY_COOLDOWN_MS)
        throw error;
    }
    const renewed = await this.fetchOnce();
    return renewed.find(header, token);
  }

  private async current(): Promise<FetchedKeys> {
    const { keys } = this;
    if (keys && this.ageOf(keys) < MAX_AGE_MS) return keys;
    try {
      return await this.fetchOnce();
    } catch (error) {
      if (keys && this.ageOf(keys) < STALE_LIMIT_MS) return keys;
      throw error;
    }
  }

  private ageOf(keys: FetchedKeys): number {
    return this.clock.now() - keys.fetchedAtMs;
  }

  private async fetchOnce(): Promise<FetchedKeys> {
    if (this.clock.now() - this.failedAtMs < FAILURE_COOLDOWN_MS) throw new KeySetUnavailableError();
    this.pending ??= this.fetchKeys().finally(() => (this.pending = undefined));
    return this.pending;
  }

  private async fetchKeys(): Promise<FetchedKeys> {
    try {
      const response = await fetch(this.url, {
        headers: { accept: 'application/json, application/jwk-set+json' },
        redirect: 'error',
        signal: AbortSignal.timeout(this.timeoutMs),
      });
      if (response.status !== 200) throw new Error(`The key set answered HTTP ${response.status}`);
      const find = createLocalJWKSet(withoutStrangers(await response.json()));
      this.keys = { find, fetchedAtMs: this.clock.now() };
      return this.keys;
    } catch (cause) {
      this.failedAtMs = this.clock.now();
      throw new KeySetUnavailableError({ cause });
    }
  }
}

/**
 * One odd entry must not make the good keys useless: what is no object is ignored, as keys of unknown types are
 * (RFC 7517, section 5).
 */
function withoutStrangers(value: unknown): JSONWebKeySet {
  const { keys } = { ...(value as { keys?: unknown } | null) };
  const isKey = (entry: unknown) => typeof entry === 'object' && entry !== null && !Array.isArray(entry);
  return { keys: Array.isArray(keys) ? keys.filter(isKey) : keys } as JSONWebKeySet;
}
