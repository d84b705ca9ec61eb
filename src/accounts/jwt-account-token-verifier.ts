import { Injectable } from '@nestjs/common';
import { decodeProtectedHeader, errors, jwtVerify, type JWTPayload, type JWTVerifyOptions } from 'jose';
import { Clock } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { KeySetUnavailableError } from './accounts.errors.js';
import { AccountTokenVerifier } from './account-token-verifier.js';
import { RemoteKeySet } from './remote-key-set.js';
import { accountOf, hasServiceRole } from './token-claims.js';
import { VerifiedTokens } from './verified-tokens.js';

const MAX_TOKEN_LENGTH = 8 * 1024;
const CLOCK_TOLERANCE_SECONDS = 5;
const SECRET_ALGORITHMS = ['HS256'];
/** `Ed25519` is the newer name of what most issuers still call `EdDSA` (RFC 9864). */
const KEY_SET_ALGORITHMS = ['RS256', 'ES256', 'EdDSA', 'Ed25519'];

/**
 * Verifies JWTs (RFC 7519) with the shared secret, or with the issuer's key set. Which one is used follows from the token's
 * algorithm, and each accepts only the algorithms that are its own, so that a public key never serves as a secret.
 * Relay tokens (`rt_…`) and API keys (`hi_…`) are no JWTs and fall out before any key is asked for (requirement H2).
 */
@Injectable()
export class JwtAccountTokenVerifier extends AccountTokenVerifier {
  private readonly secret: Uint8Array | undefined;
  private readonly keySet: RemoteKeySet | undefined;
  private readonly verified = new VerifiedTokens();

  constructor(
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {
    super();
    const { jwtSecret, jwksUrl } = config.accounts;
    if (jwtSecret) this.secret = new TextEncoder().encode(jwtSecret);
    if (jwksUrl) this.keySet = new RemoteKeySet(jwksUrl, clock);
  }

  async verify(token: string): Promise<string | undefined> {
    if (token.length > MAX_TOKEN_LENGTH) return undefined;
    const nowMs = this.clock.now();
    const known = this.verified.find(token, nowMs);
    if (known !== undefined) return known;
    const claims = await this.claimsOf(token, nowMs);
    if (!claims || hasServiceRole(claims)) return undefined;
    const accountId = accountOf(claims);
    if (accountId !== undefined) {
      this.verified.remember(token, accountId, { nowMs, expiresAtMs: Number(claims.exp) * 1000 });
    }
    return accountId;
  }

  /** What a token says, once its signature, times, issuer and audience are right. */
  private async claimsOf(token: string, nowMs: number): Promise<JWTPayload | undefined> {
    try {
      return await this.verifySignature(token, this.rules(nowMs));
    } catch (error) {
      if (error instanceof KeySetUnavailableError) throw error;
      // Anything else is the token's fault, or that of a key of the set that cannot be used: not valid either way.
      return undefined;
    }
  }

  private async verifySignature(token: string, rules: JWTVerifyOptions): Promise<JWTPayload> {
    const { alg } = decodeProtectedHeader(token);
    const { secret, keySet } = this;
    if (secret && SECRET_ALGORITHMS.includes(String(alg))) {
      return (await jwtVerify(token, secret, { ...rules, algorithms: SECRET_ALGORITHMS })).payload;
    }
    if (keySet && KEY_SET_ALGORITHMS.includes(String(alg))) {
      const find: RemoteKeySet['find'] = (header, jws) => keySet.find(header, jws);
      return (await jwtVerify(token, find, { ...rules, algorithms: KEY_SET_ALGORITHMS })).payload;
    }
    throw new errors.JOSEAlgNotAllowed('No key is configured for this algorithm');
  }

  private rules(nowMs: number): JWTVerifyOptions {
    const { issuer, audience } = this.config.accounts;
    return {
      requiredClaims: ['exp', 'sub'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(nowMs),
      ...(issuer === undefined ? {} : { issuer }),
      ...(audience === undefined ? {} : { audience }),
    };
  }
}
