import { hashSecret, newSecret } from '../common/index.js';
import { CliError } from './cli-error.js';
import type { Terminal } from './terminal.js';

/** Kinds of secrets, each with the prefix that tells them apart and the name of its hash in the directory file. */
const KINDS: Record<string, { prefix: string; what: string }> = {
  relay: { prefix: 'rt_', what: 'token of a computer' },
  link: { prefix: '', what: 'key of a link-only assistant (?k=…)' },
  'api-key': { prefix: 'hi_', what: 'API key of an account' },
};

/**
 * `hello secret new KIND`: a new secret on stdout, first line the secret itself, second line its hash for the
 * directory file. It is kept nowhere.
 * @throws CliError for an unknown kind
 */
export function newSecretCommand(kind: string, terminal: Terminal): void {
  const entry = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (!entry) throw new CliError(`the kind must be one of ${Object.keys(KINDS).join(', ')}`);
  const secret = newSecret(entry.prefix);
  terminal.note(`A new ${entry.what}. It is shown once; the second line is its hash for the directory file.`);
  terminal.out(secret);
  terminal.out(hashSecret(secret));
}
