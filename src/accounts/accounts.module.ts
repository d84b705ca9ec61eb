import { Module } from '@nestjs/common';
import { AccountAuthenticator } from './account-authenticator.service.js';
import { AccountGuard } from './account.guard.js';
import { AccountTokenVerifier } from './account-token-verifier.js';
import { JwtAccountTokenVerifier } from './jwt-account-token-verifier.js';

/** Who calls. Needs `AppConfig` and `Clock` from global modules. */
@Module({
  providers: [
    { provide: AccountTokenVerifier, useClass: JwtAccountTokenVerifier },
    AccountAuthenticator,
    AccountGuard,
  ],
  exports: [AccountTokenVerifier, AccountAuthenticator, AccountGuard],
})
export class AccountsModule {}
