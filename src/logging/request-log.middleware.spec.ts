import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from './create-logger.js';
import { currentRequestId } from './request-id.js';
import { requestLog } from './request-log.middleware.js';

describe('requestLog', () => {
  let server: Server;
  let base: string;
  let lines: Record<string, unknown>[];
  let logged: Promise<void>;
  let seen: (string | undefined)[];

  beforeEach(async () => {
    lines = [];
    seen = [];
    let wake = (): void => undefined;
    logged = new Promise((resolve) => (wake = resolve));
    const logger = createLogger('debug', {
      write: (line) => {
        lines.push(JSON.parse(line) as Record<string, unknown>);
        wake();
      },
    });
    const log = requestLog(logger, () => 'new-id');
    server = createServer((request, response) =>
      log(request, response, () => {
        seen.push(currentRequestId(), (request as { id?: string }).id);
        if (request.url !== '/hangs') response.writeHead(202).end();
      }),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => server.close());

  it('[O2] gives the request an id that is in the answer, the log line and the request', async () => {
    const answer = await fetch(`${base}/a2a/@a/b`, { method: 'POST' });
    await logged;
    expect(answer.headers.get('x-request-id')).toBe('new-id');
    expect(seen).toEqual(['new-id', 'new-id']);
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'info',
        requestId: 'new-id',
        method: 'POST',
        path: '/a2a/@a/b',
        status: 202,
        durationMs: expect.any(Number),
        msg: 'request completed',
      }),
    ]);
  });

  it.each([
    ['trace-1', 'trace-1'],
    ['x'.repeat(128), 'x'.repeat(128)],
    ['x'.repeat(129), 'new-id'],
    ['with blank', 'new-id'],
    ['é', 'new-id'],
    ['', 'new-id'],
  ])('[O2] takes over a sane id of the client and no other: %j', async (sent, expected) => {
    const answer = await fetch(base, { headers: { 'X-Request-Id': sent } });
    expect(answer.headers.get('x-request-id')).toBe(expected);
  });

  it('[H2] logs no header, query or body', async () => {
    await fetch(`${base}/a2a/@a/b?k=link-secret`, {
      method: 'POST',
      headers: { Authorization: 'Bearer token-secret', Cookie: 'cookie-secret' },
      body: 'body-secret',
    });
    await logged;
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).not.toMatch(/secret/);
  });

  it('[O2] tells an answer that the client did not wait for', async () => {
    const request = httpRequest(`${base}/hangs`).on('error', () => undefined);
    request.end();
    await once(server, 'request');
    request.destroy();
    await logged;
    expect(lines).toMatchObject([{ msg: 'request aborted by the client' }]);
  });

  it('[O2] keeps routine probes out of the usual log', async () => {
    await fetch(`${base}/readyz`);
    await logged;
    expect(lines).toMatchObject([{ level: 'debug', path: '/readyz' }]);
  });
});
