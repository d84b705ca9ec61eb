import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Logger } from 'pino';
import { chooseRequestId, withRequestId } from './request-id.js';

type Request = IncomingMessage & { id?: string; originalUrl?: string };

/** Asked for by machines every few seconds; not worth a line each. */
const ROUTINE = /^\/(healthz|readyz|metrics)\/?$/;

/**
 * Gives a request its id (as `request.id` and in the answer's `X-Request-Id`) and logs one line when it has ended
 * (requirement O2). Of the request only method and path are written: headers, query and body hold credentials
 * and messages (requirement H2).
 */
export function requestLog(logger: Logger, newId: () => string) {
  return (request: Request, response: ServerResponse, next: () => void): void => {
    const startedAtMs = performance.now();
    const requestId = chooseRequestId(request, newId);
    request.id = requestId;
    response.setHeader('X-Request-Id', requestId);
    response.once('close', () => {
      const path = pathOf(request);
      const line = {
        requestId,
        method: request.method,
        path,
        status: response.statusCode,
        durationMs: Math.round(performance.now() - startedAtMs),
      };
      const outcome = response.writableFinished ? 'request completed' : 'request aborted by the client';
      logger[ROUTINE.test(path) ? 'debug' : 'info'](line, outcome);
    });
    withRequestId(requestId, next);
  };
}

/** Without the query, also where a client has escaped its question mark. */
function pathOf(request: Request): string {
  return (request.originalUrl ?? request.url ?? '').replace(/(\?|%3f).*$/is, '');
}
