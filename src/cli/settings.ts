import { existsSync } from 'node:fs';
import type { AppConfig } from '../config/index.js';
import { CliError } from './cli-error.js';
import type { Terminal } from './terminal.js';

/**
 * The service's settings, for commands that run or serve it.
 * @throws CliError naming every variable that is wrong
 */
export async function readSettings(terminal: Terminal): Promise<AppConfig> {
  // Loaded on demand: commands that only call a service should start without its framework.
  const { ConfigError, loadAppConfig, readEnvironment } = await import('../config/index.js');
  const environment = { ...readEnvironment(), ...terminal.env };
  try {
    return loadAppConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) throw new CliError(`wrong settings: ${error.problems.join('; ')}`);
    throw error;
  }
}

/** The path of the store, for commands that work on it and need no other setting. */
export async function readStorePath(terminal: Terminal): Promise<string> {
  const { readEnvironment } = await import('../config/index.js');
  const { A2A_STORE_PATH: path = './data/a2a.sqlite' } = { ...readEnvironment(), ...terminal.env };
  return path;
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
