import { existsSync } from 'node:fs';
import { describeError } from '../common/index.js';
import type {
  AccountAdmin,
  AdminProblem,
  AgentAdmin,
  ApiKeyAdmin,
  ComputerAdmin,
  DirectoryListing,
} from '../directory/index.js';
import { CliError, ExitCode } from './cli-error.js';
import { readStoreSettings } from './settings.js';
import type { Terminal } from './terminal.js';

/** Options of every command on the directory. */
export interface DirectoryOptions {
  json?: boolean;
  store?: string;
}

/** What commands can change. */
export interface DirectoryAdmin {
  accounts: AccountAdmin;
  agents: AgentAdmin;
  apiKeys: ApiKeyAdmin;
  computers: ComputerAdmin;
}

const EXIT_CODES: Record<AdminProblem, ExitCode> = {
  unknown: ExitCode.noSuchAddress,
  refused: ExitCode.refused,
  invalid: ExitCode.usage,
};

/**
 * Reads the directory of a database, also while a service runs on it.
 * @throws CliError when there is no database, it cannot be read, or an entry is not there
 */
export async function readDirectory<T>(
  options: DirectoryOptions,
  terminal: Terminal,
  read: (listing: DirectoryListing) => Promise<T>,
): Promise<T> {
  const { path } = await readStoreSettings(terminal, options.store);
  if (!existsSync(path)) throw new CliError(`A2A_STORE_PATH: there is no database at ${path}`);
  const { isCurrent, openReader } = await import('../database/index.js');
  const { DirectoryListing } = await import('../directory/index.js');
  return explained(path, async () => {
    const reader = await openReader(path);
    try {
      if (!(await isCurrent(reader))) {
        throw new CliError(
          `A2A_STORE_PATH: the database at ${path} is of an older version; \`hello serve\` brings it up to date`,
        );
      }
      return await read(new DirectoryListing(reader));
    } finally {
      await reader.destroy();
    }
  });
}

/**
 * Changes the directory of a database, also while a service runs on it, which notices within a second. A database that
 * is not there is made, so that a service can be set up before its first start.
 * @throws CliError when the database cannot be used, or the change may not be made
 */
export async function changeDirectory<T>(
  options: DirectoryOptions,
  terminal: Terminal,
  change: (admin: DirectoryAdmin) => Promise<T>,
): Promise<T> {
  const { path } = await readStoreSettings(terminal, options.store);
  const isNew = !existsSync(path);
  const { SqliteWriteQueue, openWriter } = await import('../database/index.js');
  // A failure becomes the one line that ends the command; the framework would write its own beside it.
  const { Logger } = await import('@nestjs/common');
  Logger.overrideLogger(false);
  return explained(path, async () => {
    const writer = await openWriter(path);
    try {
      if (isNew) terminal.note(`A new database was made at ${path}.`);
      return await change(await adminOn(new SqliteWriteQueue(writer)));
    } finally {
      await writer.destroy();
    }
  });
}

async function adminOn(
  queue: InstanceType<typeof import('../database/index.js').SqliteWriteQueue>,
): Promise<DirectoryAdmin> {
  const { SystemClock, UuidGenerator } = await import('../common/index.js');
  const { AccountAdmin, AgentAdmin, ApiKeyAdmin, ComputerAdmin } = await import('../directory/index.js');
  const clock = new SystemClock();
  return {
    accounts: new AccountAdmin(queue, clock),
    agents: new AgentAdmin(queue, clock, new UuidGenerator()),
    apiKeys: new ApiKeyAdmin(queue, clock),
    computers: new ComputerAdmin(queue, clock),
  };
}

async function explained<T>(path: string, work: () => Promise<T>): Promise<T> {
  const { DatabaseStartError } = await import('../database/index.js');
  const { DirectoryAdminError } = await import('../directory/index.js');
  const { StorageUnavailableError } = await import('../common/index.js');
  try {
    return await work();
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (error instanceof DirectoryAdminError) throw new CliError(error.message, EXIT_CODES[error.problem]);
    if (error instanceof DatabaseStartError) throw new CliError(error.message);
    if (error instanceof StorageUnavailableError) {
      throw new CliError(
        `A2A_STORE_PATH: the database at ${path} cannot be written at the moment (${describeError(error.cause)})`,
        ExitCode.unavailable,
      );
    }
    throw new CliError(`A2A_STORE_PATH: cannot read the database at ${path}: ${describeError(error)}`);
  }
}
