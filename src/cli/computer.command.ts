import { describeError } from '../common/index.js';
import { CliError } from './cli-error.js';
import { requireStorePath } from './settings.js';
import type { Terminal } from './terminal.js';

/**
 * `hello computer list`: a line for each computer, with its account and when its daemon was last heard of (`lastSeenAt`).
 * Reads the database of A2A_STORE_PATH, also while the service runs.
 * @throws CliError when there is no database there, or it cannot be read
 */
export async function listComputersCommand(terminal: Terminal): Promise<void> {
  const path = await requireStorePath(terminal);
  try {
    for (const line of await computerLines(path)) terminal.out(line);
  } catch (error) {
    const { DatabaseStartError } = await import('../database/index.js');
    if (error instanceof DatabaseStartError) throw new CliError(error.message);
    throw new CliError(`A2A_STORE_PATH: cannot read the database at ${path}: ${describeError(error)}`);
  }
}

async function computerLines(path: string): Promise<string[]> {
  const { openReader } = await import('../database/index.js');
  const { listComputers } = await import('../directory/index.js');
  const reader = await openReader(path);
  try {
    return (await listComputers(reader)).map(({ id, accountId, lastSeenAtMs }) => {
      const lastSeenAt = lastSeenAtMs === undefined ? 'never' : new Date(lastSeenAtMs).toISOString();
      return `${id}\taccount=${accountId}\tlastSeenAt=${lastSeenAt}`;
    });
  } finally {
    await reader.destroy();
  }
}
