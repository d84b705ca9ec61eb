import { existsSync } from 'node:fs';
import { CliError } from './cli-error.js';
import type { Terminal } from './terminal.js';

/**
 * `hello computer list`: a line for each computer, with its account and when its daemon was last heard of (`lastSeenAt`).
 * Reads the database of A2A_STORE_PATH, also while the service runs.
 * @throws CliError when there is no database there, or it cannot be read
 */
export async function listComputersCommand(terminal: Terminal): Promise<void> {
  const { readEnvironment } = await import('../config/index.js');
  const { A2A_STORE_PATH: path = './data/a2a.sqlite' } = { ...readEnvironment(), ...terminal.env };
  if (!existsSync(path)) throw new CliError(`A2A_STORE_PATH: there is no database at ${path}`);
  const { openReader } = await import('../database/index.js');
  const { listComputers } = await import('../directory/index.js');
  const reader = await openReader(path);
  try {
    for (const { id, accountId, lastSeenAtMs } of await listComputers(reader)) {
      const lastSeenAt = lastSeenAtMs === undefined ? 'never' : new Date(lastSeenAtMs).toISOString();
      terminal.out(`${id}\taccount=${accountId}\tlastSeenAt=${lastSeenAt}`);
    }
  } finally {
    await reader.destroy();
  }
}
