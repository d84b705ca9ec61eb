import { describeError } from './common/index.js';
import type { AppConfig } from './config/index.js';
import { JobDatabaseError } from './daemon/index.js';
import { DatabaseStartError } from './database/index.js';
import { AgentInCodeError, DirectoryFileError } from './directory/index.js';

/** A setting does not allow the start. The message is one line that names it, without a secret. */
export class StartError extends Error {
  override name = 'StartError';
}

/** Each has a message of one line that says what to change. */
const SETUP_ERRORS = [DatabaseStartError, DirectoryFileError, AgentInCodeError, JobDatabaseError];

/**
 * Turns what ended a start into a `StartError` where a setting is to blame (requirement O1).
 * @returns the error as it is where it is a fault of the program
 */
export function startErrorOf(error: unknown, { http }: AppConfig): unknown {
  if (SETUP_ERRORS.some((kind) => error instanceof kind)) {
    return new StartError(describeError(error), { cause: error });
  }
  const reason = listenProblem(error, http);
  return reason === undefined ? error : new StartError(reason, { cause: error });
}

function listenProblem(error: unknown, { port, host }: AppConfig['http']): string | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'getaddrinfo') return `HOST: ${host} is not a known host name (${String(code)})`;
  if (syscall !== 'listen') return undefined;
  if (code === 'EADDRINUSE') return `PORT: port ${port} is taken; choose another`;
  if (code === 'EACCES') return `PORT: port ${port} may not be used by this user; choose one above 1023`;
  if (code === 'EADDRNOTAVAIL') return `HOST: ${host} is not an address of this computer`;
  return `HOST, PORT: cannot listen on ${host}, port ${port}: ${describeError(error)}`;
}
