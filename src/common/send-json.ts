import type { ServerResponse } from 'node:http';

/**
 * Answers with JSON. Plain Node, so that it works whichever router brought the request.
 * @param headers besides those of the body
 */
export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  const body = JSON.stringify(value);
  response.writeHead(status, {
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}
