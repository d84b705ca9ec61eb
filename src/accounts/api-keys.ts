/**
 * Whose API key (`hi_…`) something is (requirement P2). A port: where keys are kept is another module's business, and whoever
 * puts the program together binds it.
 */
export abstract class ApiKeys {
  /**
   * @param key as it was sent; compared by its hash
   * @returns the account, or `undefined` for a key that was never issued or is revoked
   */
  abstract findAccount(key: string): Promise<string | undefined>;
}

/** How API keys begin. Account tokens are JWTs and never begin like this. */
export const API_KEY_PREFIX = 'hi_';
