import type { IncomingMessage } from 'node:http';
import type { CallOrigin } from '../common/index.js';

/** The id that the logging middleware gave the request; it is also in the answer's `X-Request-Id`. */
export function requestIdOf(request: IncomingMessage): string {
  const { id } = request as IncomingMessage & { id?: unknown };
  return typeof id === 'string' || typeof id === 'number' ? String(id) : 'unknown';
}

/** What the logging middleware noted on the request. */
export function requestOriginOf(request: IncomingMessage): CallOrigin {
  const { traceparent } = request as IncomingMessage & { traceparent?: string };
  return { requestId: requestIdOf(request), traceparent };
}
