import { SignJWT } from 'jose';
import { SystemClock, type Clock } from '../common/index.js';

export interface AccountTokenRequest {
  /** The secret of `ACCOUNT_JWT_SECRET`. */
  secret: string;
  accountId: string;
  ttlSeconds: number;
  issuer?: string | undefined;
  audience?: string | undefined;
  clock?: Clock;
}

/** Makes an account access token (HS256), for trying out and for tests; production tokens come from the account service. */
export async function signAccountToken(request: AccountTokenRequest): Promise<string> {
  const issuedAt = Math.floor((request.clock ?? new SystemClock()).now() / 1000);
  const token = new SignJWT()
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(request.accountId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + request.ttlSeconds);
  if (request.issuer !== undefined) token.setIssuer(request.issuer);
  if (request.audience !== undefined) token.setAudience(request.audience);
  return token.sign(new TextEncoder().encode(request.secret));
}
