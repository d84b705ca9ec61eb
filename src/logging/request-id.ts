import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';

const SANE_ID = /^[\x21-\x7e]{1,128}$/;

const requestIds = new AsyncLocalStorage<string>();

/** The id of the request that is being handled, where there is one. */
export function currentRequestId(): string | undefined {
  return requestIds.getStore();
}

/** Runs the handling of a request so that its log lines carry its id. */
export function withRequestId(requestId: string, handle: () => void): void {
  requestIds.run(requestId, handle);
}

/** The client's `X-Request-Id` if it can stand in a header and a log line, else a new one. */
export function chooseRequestId(request: IncomingMessage, newId: () => string): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && SANE_ID.test(sent) ? sent : newId();
}
