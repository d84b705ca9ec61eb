import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { AccountAuthenticator } from './account-authenticator.service.js';
import type { AuthenticatedRequest } from './account.guard.js';
import { UnauthenticatedError } from './accounts.errors.js';
import { API_KEY_PREFIX, ApiKeys } from './api-keys.js';
import { askedAccount } from './asked-account.js';
import { readBearer } from './read-bearer.js';

/** Longest key that is looked up; real ones are far shorter (docs/directory-file.md). */
const MAX_KEY_LENGTH = 256;

/**
 * Lets a HTTP request in with an API key or an account access token (requirement P2), and notes whose it is as `request.caller`.
 */
@Injectable()
export class ApiCredentialGuard implements CanActivate {
  constructor(
    private readonly keys: ApiKeys,
    private readonly accounts: AccountAuthenticator,
  ) {}

  /**
   * @throws UnauthenticatedError without a valid credential
   * @throws KeySetUnavailableError when tokens cannot be verified at the moment
   */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const credential = readBearer(request.headers.authorization);
    const accountId = credential === undefined ? undefined : await this.accountOf(credential);
    if (accountId === undefined)
      throw new UnauthenticatedError(credential !== undefined, 'API key or account access token');
    request.caller = { accountId };
    return true;
  }

  private async accountOf(credential: string): Promise<string | undefined> {
    if (!credential.startsWith(API_KEY_PREFIX)) return await this.accounts.accountOf(credential);
    if (credential.length > MAX_KEY_LENGTH) return undefined;
    const ask = (key: string) => this.keys.findAccount(key);
    return await askedAccount({ credential, ask, origin: 'AgentDirectory.findAccountByApiKey' });
  }
}
