export { AccountTokenVerifier, type CallerAccount } from './account-token-verifier.js';
