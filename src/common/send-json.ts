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
  sendJsonText(response, status, JSON.stringify(value), headers);
}

/** Answers with what is JSON already. */
export function sendJsonText(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Record<string, string> = {},
): void {
  const lines = ['Content-Type', 'application/json; charset=utf-8'];
  lines.push('Content-Length', String(Buffer.byteLength(body)));
  for (const name in headers) lines.push(name, headers[name] as string);
  response.writeHead(status, lines).end(body);
}
