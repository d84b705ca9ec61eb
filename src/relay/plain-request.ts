import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Headers that only belong to the upgrade that is not made. */
const UPGRADE_HEADERS = new Set(['upgrade', 'http2-settings']);

/**
 * Answers a request that offers an upgrade as if it had not: a server with an upgrade listener gets every one of
 * them, and clients such as Java's offer HTTP/2 with each request that they send in the clear. The request is put
 * back in front of the socket without the offer, and the server reads it again.
 */
export function serveWithoutUpgrade(
  server: Server,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index] ?? '';
    const value = request.rawHeaders[index + 1] ?? '';
    const lowerName = name.toLowerCase();
    if (UPGRADE_HEADERS.has(lowerName)) continue;
    const kept = lowerName === 'connection' ? withoutUpgrade(value) : value;
    lines.push(`${name}: ${kept}`);
  }
  const start = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  socket.unshift(Buffer.concat([start, head]));
  server.emit('connection', socket);
}

function withoutUpgrade(connection: string): string {
  const options = connection.split(',').map((option) => option.trim());
  const kept = options.filter((option) => !['upgrade', 'http2-settings'].includes(option.toLowerCase()));
  return kept.join(', ') || 'keep-alive';
}
