import { existsSync } from 'node:fs';
import type { AppConfig, StoreConfig } from '../config/index.js';
import { CliError } from './cli-error.js';
import type { Terminal } from './terminal.js';

/**
 * The service's settings, for commands that run or serve it.
 * @throws CliError naming every variable that is wrong
 */
export async function readSettings(terminal: Terminal): Promise<AppConfig> {
  // Loaded on demand: commands that only call a service should start without its framework.
  const { loadAppConfig } = await import('../config/index.js');
  return load(loadAppConfig, terminal);
}

/**
 * Where the database is and what its addresses begin with, for commands that work on it.
 * @param path of the database; A2A_STORE_PATH unless given
 * @throws CliError naming every variable that is wrong
 */
export async function readStoreSettings(terminal: Terminal, path?: string): Promise<StoreConfig> {
  const { loadStoreConfig } = await import('../config/index.js');
  return load(loadStoreConfig, terminal, path === undefined ? {} : { A2A_STORE_PATH: path });
}

async function load<T>(
  read: (environment: Terminal['env']) => T,
  terminal: Terminal,
  overrides: Record<string, string> = {},
): Promise<T> {
  const { ConfigError, readEnvironment } = await import('../config/index.js');
  try {
    return read({ ...readEnvironment(), ...terminal.env, ...overrides });
  } catch (error) {
    if (error instanceof ConfigError) throw new CliError(`wrong settings: ${error.problems.join('; ')}`);
    throw error;
  }
}

/** The path of the store, for commands that work on it and need no other setting. */
export async function readStorePath(terminal: Terminal): Promise<string> {
  return (await readStoreSettings(terminal)).path;
}

/**
 * The same for commands that need a store to be there.
 * @throws CliError when there is none
 */
export async function requireStorePath(terminal: Terminal): Promise<string> {
  const path = await readStorePath(terminal);
  if (!existsSync(path)) throw new CliError(`A2A_STORE_PATH: there is no database at ${path}`);
  return path;
}
