/** Verifies the access token of an account (requirements H1, H2). */
export abstract class AccountTokenVerifier {
  /**
   * @param token the bearer token as it was sent
   * @returns the account (`sub`), or `undefined` for anything that is not a valid account access token
   * @throws KeySetUnavailableError when the keys cannot be fetched, so that nobody knows whether the token is valid
   */
  abstract verify(token: string): Promise<string | undefined>;
}

/** The account behind a request. */
export interface CallerAccount {
  accountId: string;
}
