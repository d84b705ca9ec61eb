import { Module } from '@nestjs/common';
import { AccountAuthenticator } from './account-authenticator.service.js';
import { AccountGuard } from './account.guard.js';
import { ApiCredentialGuard } from './api-credential.guard.js';
import { AccountTokenVerifier } from './account-token-verifier.js';
import { JwtAccountTokenVerifier } from './jwt-account-token-verifier.js';

/** Who calls. Needs `AppConfig`, `Clock` and `ApiKeys` from global modules. */
@Module({
  providers: [
    { provide: AccountTokenVerifier, useClass: JwtAccountTokenVerifier },
    AccountAuthenticator,
    AccountGuard,
    ApiCredentialGuard,
  ],
  exports: [AccountTokenVerifier, AccountAuthenticator, AccountGuard, ApiCredentialGuard],
})
export class AccountsModule {}
