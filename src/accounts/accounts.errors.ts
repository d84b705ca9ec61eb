import { UnauthorizedFailure, UnavailableFailure } from '../common/index.js';

const REALM = 'Bearer realm="hello-api"';

/**
 * No valid credential came with the request: 401 with a challenge (requirement H1). Neither the message nor the
 * challenge says what was wrong with a token, nor repeats any of it (requirement H2).
 */
export class UnauthenticatedError extends UnauthorizedFailure {
  /**
   * @param tokenSent whether there was a bearer token at all; the challenge then says `invalid_token` (RFC 6750 §3.1)
   * @param wanted what would have let the request in
   */
  constructor(
    readonly tokenSent: boolean,
    wanted = 'account access token',
  ) {
    super(tokenSent ? `The ${wanted} is not valid` : `An ${wanted} is required`);
  }

  override headers(): Record<string, string> {
    return { 'WWW-Authenticate': this.tokenSent ? `${REALM}, error="invalid_token"` : REALM };
  }
}

/** The key set of the token issuer cannot be fetched: 503, since the token may well be valid. */
export class KeySetUnavailableError extends UnavailableFailure {
  override readonly logLevel = 'warn';

  constructor(options?: ErrorOptions) {
    super('Access tokens cannot be verified at the moment');
    if (options?.cause !== undefined) this.cause = options.cause;
  }
}
