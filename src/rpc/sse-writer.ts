import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { untilAborted } from '../common/index.js';

/** Neither caches nor proxies may hold events back (B111). */
const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache',
  'X-Accel-Buffering': 'no',
};

const KEEP_ALIVE = ': keep-alive\n\n';

/** Line ends to some readers, and yet legal in JSON as they are. */
const LINE_ENDS = /[\u0085\u2028\u2029]/g;

export interface StreamOptions {
  /** Longest silence; then comes a comment line. */
  keepaliveMs: number;
  /** Aborted when the client is gone. */
  signal: AbortSignal;
}

/**
 * Sends a stream as server-sent events (HTML standard §9.2, requirement P4): headers at once, each item in one `data: `
 * line. The next item is asked for only when the last one has left the buffer, so that a slow reader holds the source back rather
 * than filling the memory. Ends the source and the answer when the stream is over or the client gone.
 */
export async function writeEvents(
  response: ServerResponse,
  items: AsyncIterable<string>,
  { keepaliveMs, signal }: StreamOptions,
): Promise<void> {
  response.writeHead(200, HEADERS).flushHeaders();
  const keepAlive = setInterval(() => {
    if (!response.writableNeedDrain && !response.destroyed) response.write(KEEP_ALIVE);
  }, keepaliveMs);
  const iterator = items[Symbol.asyncIterator]();
  try {
    while (!signal.aborted) {
      const step = await untilAborted(iterator.next(), signal);
      if (!step || step.done) break;
      await write(response, eventOf(step.value), signal);
      keepAlive.refresh();
    }
  } finally {
    clearInterval(keepAlive);
    // A source that is waiting ends when it can; the answer does not wait for it.
    void iterator.return?.().catch(() => undefined);
    response.end();
  }
}

/** One event of what is JSON already, in one line. */
function eventOf(item: string): string {
  const json = item.replace(
    LINE_ENDS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `data: ${json}\n\n`;
}

async function write(response: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  if (signal.aborted || response.write(text)) return;
  // Rejects when the client goes away meanwhile, which the caller sees by the signal.
  await once(response, 'drain', { signal }).catch(() => undefined);
}
