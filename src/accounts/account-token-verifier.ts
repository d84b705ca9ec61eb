/**
 * Verifies the access token of an account (requirements H1, H2). The rules, for any implementation; `ACCOUNT_TOKEN_VERIFIER_RULES` of
 * `hello-api/testing` proves them:
 *
 * - A valid token is its account, each time it is shown, exactly as the issuer wrote it, however many are verified at once.
 * - A token that is not valid (any more) is nobody, also after a valid one of the same account.
 * - Relay tokens (`rt_…`), API keys (`hi_…`), tokens of services and what is no token at all are nobody. That is an answer, and
 *   no error: whatever a stranger sends, the promise resolves.
 */
export abstract class AccountTokenVerifier {
  /**
   * Asked for every call. It has ten seconds; past them, and when it throws or answers anything that is not described here,
   * the caller gets HTTP 503, and the log says why.
   * @param token the bearer token as it was sent
   * @returns the account (`sub`): a non-blank text of at most 128 characters without control characters; `undefined` for
   *   anything that is not a valid account access token
   * @throws UnavailableFailure when nobody knows at the moment whether the token is valid; 503
   */
  abstract verify(token: string): Promise<string | undefined>;
}

/** The account behind a request. */
export interface CallerAccount {
  accountId: string;
}
