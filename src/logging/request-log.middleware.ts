import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { prepareHeader, readTraceparent, routeTemplate, traceIdOf } from '../common/index.js';
import { chooseRequestId } from './request-id.js';
import type { RequestLogger } from './request-line.js';

interface Request extends IncomingMessage {
  id?: string;
  traceparent?: string;
  originalUrl?: string;
  destination?: unknown;
}

/** Asked for by machines every few seconds; not worth a line each. */
const ROUTINE = /^\/(healthz|readyz|metrics)\/?$/;

/**
 * Gives a request its id (as `request.id` and in the answer's `X-Request-Id`), notes its trace context
 * (`request.traceparent`), and logs one
 * line when it has ended (requirement O2). Of the request only method, route and, where it led somewhere, path are
 * written: headers, query and body hold credentials and messages (requirement H2).
 */
export function requestLog(logger: RequestLogger, newId: () => string) {
  return (request: Request, response: ServerResponse, next: () => void): void => {
    const startedAtMs = performance.now();
    const requestId = chooseRequestId(request, newId);
    const traceparent = readTraceparent(request.headers['traceparent']);
    request.id = requestId;
    if (traceparent !== undefined) request.traceparent = traceparent;
    prepareHeader(response, 'X-Request-Id', requestId);
    response.on('close', () => {
      const route = routeTemplate(request);
      const line = {
        requestId,
        traceId: traceparent && traceIdOf(traceparent),
        method: request.method ?? '',
        route,
        path: ledSomewhere(request, response) ? pathOf(request) : undefined,
        status: response.statusCode,
        durationMs: Math.round(performance.now() - startedAtMs),
      };
      const outcome = response.writableFinished ? 'request completed' : 'request aborted by the client';
      logger[ROUTINE.test(route) ? 'debug' : 'info'](line, outcome);
    });
    next();
  };
}

/**
 * Whether the path is one that this service knows. Any other is the client's own text: a link key written behind the
 * address instead of into the query, for example.
 */
function ledSomewhere({ destination }: Request, { statusCode }: ServerResponse): boolean {
  return destination !== undefined || statusCode < 400;
}

/** Without the query, also where a client has escaped its question mark. */
function pathOf(request: Request): string {
  const target = request.originalUrl ?? request.url ?? '';
  const path = target.slice(0, (target.indexOf('?') + 1 || target.length + 1) - 1);
  return path.includes('%') ? path.replace(/%3f.*$/is, '') : path;
}
