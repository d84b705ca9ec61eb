import type { IncomingMessage } from 'node:http';

/** The id that the logging middleware gave the request; it is also in the answer's `X-Request-Id`. */
export function requestIdOf(request: IncomingMessage): string {
  const { id } = request as IncomingMessage & { id?: unknown };
  return typeof id === 'string' || typeof id === 'number' ? String(id) : 'unknown';
}
