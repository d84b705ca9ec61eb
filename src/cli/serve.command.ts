import type { AppConfig } from '../config/index.js';
import type { RunningServer } from '../main.js';
import { CliError } from './cli-error.js';
import { collectGarbage } from './collect-garbage.js';
import { readSettings } from './settings.js';
import { listenForStop } from './stop-signal.js';
import type { Terminal } from './terminal.js';

/**
 * `hello serve`: runs the service until SIGTERM or Ctrl-C, then lets it finish in order (requirement R8).
 * @throws CliError naming the setting that does not allow the start
 */
export async function serveCommand(terminal: Terminal): Promise<void> {
  const config = await readSettings(terminal);
  const stop = listenForStop();
  try {
    const server = await start(config);
    collectGarbage();
    terminal.note(`hello-api listens on ${server.url}`);
    await stop.stopped;
    await server.close();
  } finally {
    stop.dispose();
  }
}

async function start(config: AppConfig): Promise<RunningServer> {
  const { serve, StartError } = await import('../main.js');
  try {
    return await serve(config);
  } catch (error) {
    throw error instanceof StartError ? new CliError(error.message) : error;
  }
}
