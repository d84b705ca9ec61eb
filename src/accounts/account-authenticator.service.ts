import { Injectable } from '@nestjs/common';
import { UnauthenticatedError } from './accounts.errors.js';
import { AccountTokenVerifier, type CallerAccount } from './account-token-verifier.js';
import { askedAccount } from './asked-account.js';
import { readBearer } from './read-bearer.js';

/** Finds the account behind an `Authorization` header, for guards and for code that runs without one. */
@Injectable()
export class AccountAuthenticator {
  constructor(private readonly verifier: AccountTokenVerifier) {}

  /**
   * @param authorization the header as it was sent
   * @throws UnauthenticatedError without a valid account access token (requirement H1)
   * @throws KeySetUnavailableError when tokens cannot be verified at the moment
   */
  async authenticate(authorization: string | undefined): Promise<CallerAccount> {
    const token = readBearer(authorization);
    const accountId = token === undefined ? undefined : await this.accountOf(token);
    if (accountId === undefined) throw new UnauthenticatedError(token !== undefined);
    return { accountId };
  }

  /**
   * Who asks, where nobody has to say so (cards): a token that is not valid is as good as none.
   * @throws KeySetUnavailableError when tokens cannot be verified at the moment
   */
  async identify(request: {
    headers: { authorization?: string | undefined };
  }): Promise<CallerAccount | undefined> {
    const token = readBearer(request.headers.authorization);
    const accountId = token === undefined ? undefined : await this.accountOf(token);
    return accountId === undefined ? undefined : { accountId };
  }

  /**
   * @returns the account of a token, or `undefined` when it is not valid
   * @throws KeySetUnavailableError when tokens cannot be verified at the moment
   */
  accountOf(token: string): Promise<string | undefined> {
    return askedAccount({
      credential: token,
      ask: (credential) => this.verifier.verify(credential),
      origin: `${this.verifier.constructor.name}.verify`,
    });
  }
}
