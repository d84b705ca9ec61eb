import { CliError } from './cli-error.js';
import { parseSeconds } from './duration.js';
import { readSettings } from './settings.js';
import type { Terminal } from './terminal.js';

/**
 * `hello token issue`: an account access token, alone on stdout, signed with ACCOUNT_JWT_SECRET for the issuer and
 * audience of the settings.
 * @throws CliError when the settings are wrong, or tokens are signed elsewhere
 */
export async function issueTokenCommand(
  options: { account: string; ttl: string },
  terminal: Terminal,
): Promise<void> {
  const ttlSeconds = parseSeconds(options.ttl, '--ttl');
  if (options.account.trim() === '') throw new CliError('--account must not be empty');
  const { accounts } = await readSettings(terminal);
  if (accounts.jwtSecret === undefined) {
    throw new CliError(
      'ACCOUNT_JWT_SECRET is not set: with ACCOUNT_JWKS_URL, tokens come from your account service',
    );
  }
  const { signAccountToken } = await import('../accounts/index.js');
  const { jwtSecret: secret, issuer, audience } = accounts;
  terminal.out(await signAccountToken({ secret, accountId: options.account, ttlSeconds, issuer, audience }));
}
