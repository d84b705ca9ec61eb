import type { IncomingMessage } from 'node:http';

const SANE_ID = /^[\x21-\x7e]{1,128}$/;

/** The client's `X-Request-Id` if it can stand in a header and a log line, else a new one. */
export function chooseRequestId(request: IncomingMessage, newId: () => string): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && SANE_ID.test(sent) ? sent : newId();
}
