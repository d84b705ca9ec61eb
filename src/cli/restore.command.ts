import { describeFacts, factsAsJson, untilStopped } from './backup.command.js';
import { readStorePath } from './settings.js';
import type { Terminal } from './terminal.js';

export interface RestoreOptions {
  replaceNewer?: boolean;
  json?: boolean;
}

/**
 * `hello restore FILE`: puts a backup in the place of the store of A2A_STORE_PATH and keeps what was there (requirement K3).
 * @throws CliError when the backup is unusable, the service runs, or the store is newer; then all is as before
 */
export async function restoreCommand(
  file: string,
  options: RestoreOptions,
  terminal: Terminal,
): Promise<void> {
  const path = await readStorePath(terminal);
  const restored = await untilStopped(async (signal) => {
    const { restoreStore } = await import('../database/index.js');
    const replaceNewer = options.replaceNewer ?? false;
    return await restoreStore({ path, file, replaceNewer, nowMs: Date.now(), signal });
  });
  if (options.json) {
    terminal.out(JSON.stringify({ store: path, keptAs: restored.keptAs ?? null, ...factsAsJson(restored) }));
    return;
  }
  terminal.out(`${path}: restored from ${file}; ${describeFacts(restored)}`);
  if (restored.keptAs)
    terminal.note(
      `The store that was there is kept as ${restored.keptAs}; delete it once you no longer need it.`,
    );
}
