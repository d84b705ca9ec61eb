export { AccountAuthenticator } from './account-authenticator.service.js';
export { AccountGuard } from './account.guard.js';
export { AccountTokenVerifier, type CallerAccount } from './account-token-verifier.js';
export { KeySetUnavailableError, UnauthenticatedError } from './accounts.errors.js';
export { AccountsModule } from './accounts.module.js';
export { Caller } from './caller.decorator.js';
export { JwtAccountTokenVerifier } from './jwt-account-token-verifier.js';
export { readBearer } from './read-bearer.js';
export { signAccountToken, type AccountTokenRequest } from './sign-account-token.js';
