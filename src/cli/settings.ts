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
