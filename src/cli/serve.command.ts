import { readSettings } from './settings.js';
import { listenForStop } from './stop-signal.js';
import type { Terminal } from './terminal.js';

/** `hello serve`: runs the service until SIGTERM or Ctrl-C, then lets it finish in order (requirement R8). */
export async function serveCommand(terminal: Terminal): Promise<void> {
  const config = await readSettings(terminal);
  const stop = listenForStop();
  try {
    const { serve } = await import('../main.js');
    const server = await serve(config);
    terminal.note(`hello-api listens on ${server.url}`);
    await stop.stopped;
    await server.close();
  } finally {
    stop.dispose();
  }
}
