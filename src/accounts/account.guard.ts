import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { AccountAuthenticator } from './account-authenticator.service.js';
import type { CallerAccount } from './account-token-verifier.js';

/** What guards read of a request, and what they note on it. */
export interface AuthenticatedRequest {
  headers: { authorization?: string | undefined };
  caller?: CallerAccount;
}

/** Lets a HTTP request in with a valid account access token, and notes whose it is as `request.caller`. */
@Injectable()
export class AccountGuard implements CanActivate {
  constructor(private readonly authenticator: AccountAuthenticator) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    request.caller = await this.authenticator.authenticate(request.headers.authorization);
    return true;
  }
}
