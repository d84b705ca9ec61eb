import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from './create-logger.js';
import { requestLog } from './request-log.middleware.js';

const TEMPLATES = new Map([
  ['/a2a/@a/b', '/a2a/:address/:handle'],
  ['/readyz', '/readyz'],
]);

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
        const { id, traceparent } = request as { id?: string; traceparent?: string };
        seen.push(id, traceparent);
        Object.assign(request, { route: { path: TEMPLATES.get(request.url ?? '') } });
        if (request.url === '/nowhere/path-secret') response.writeHead(404).end();
        else if (request.url !== '/hangs') response.writeHead(202).end();
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
    expect(seen).toEqual(['new-id', undefined]);
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'info',
        requestId: 'new-id',
        method: 'POST',
        route: '/a2a/:address/:handle',
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

  it('[H2] logs no path that led nowhere, since it may be anything', async () => {
    await fetch(`${base}/nowhere/path-secret`);
    await logged;
    expect(lines).toMatchObject([{ route: 'none', status: 404 }]);
    expect(JSON.stringify(lines)).not.toMatch(/secret/);
  });

  it.each([
    ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', '4bf92f3577b34da6a3ce929d0e0e4736'],
    ['00-secret-trace', undefined],
  ])('[O2] takes over a valid trace context and no other: %s', async (traceparent, traceId) => {
    await fetch(base, { headers: { traceparent } });
    await logged;
    expect(lines[0]?.['traceId']).toBe(traceId);
    expect(seen[1]).toBe(traceId && traceparent);
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
    expect(lines).toMatchObject([{ level: 'debug', route: '/readyz' }]);
  });
});
