/** Verifies the access token of an account (requirements H1, H2). */
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
