import { connect } from 'node:net';
import type { ScriptedDaemon } from '../support/scripted-daemon.js';
import { ADDRESSES, TestApi, until } from '../support/test-api.js';

const INTERNALS = /\n\s+at |node_modules|sqlite|\.[jt]s:\d/i;

describe('connections that do not behave', () => {
  let api: TestApi;
  let daemon: ScriptedDaemon;
  let good: string[];

  beforeAll(async () => {
    api = await TestApi.start();
    daemon = await api.daemon();
    good = [
      `POST ${ADDRESSES.helper} HTTP/1.1`,
      'Host: x',
      'Content-Type: application/json',
      'A2A-Version: 1.0',
      `Authorization: Bearer ${await api.token('acct-bob')}`,
    ];
  });
  afterEach(async () => {
    expect((await api.rpc(ADDRESSES.helper, 'ListTasks', {})).status).toBe(200);
    expect(daemon.socket.readyState).toBe(daemon.socket.OPEN);
  });
  afterAll(() => api.close());

  /** Sends bytes as they are and gathers what comes back until the service closes, or until it is enough. */
  async function exchange(
    bytes: string,
    enough?: (received: string) => boolean,
    server = api,
  ): Promise<string> {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    let received = '';
    let closed = false;
    socket.setEncoding('utf8').on('data', (text: string) => (received += text));
    socket.on('error', () => undefined).on('close', () => (closed = true));
    socket.write(bytes);
    try {
      await until('an answer, or the end', () => closed || (enough?.(received) ?? false));
      return received;
    } finally {
      socket.destroy();
    }
  }

  const head = (...lines: string[]) => `${[...good, ...lines].join('\r\n')}\r\n\r\n`;
  const list = (id: number) => JSON.stringify({ jsonrpc: '2.0', id, method: 'ListTasks', params: {} });
  const whole = (id: number) => head(`Content-Length: ${list(id).length}`) + list(id);
  const hasBody = (received: string) => /\r\n\r\n.*\}/s.test(received);

  it('[W5] refuses a head of more than 16 KiB with 431, without a body, and closes', async () => {
    const received = await exchange(head(`X-Long: ${'x'.repeat(17 * 1024)}`));
    expect(received).toMatch(/^HTTP\/1\.1 431 /);
    expect(received).toMatch(/\r\n\r\n$/);
  });

  it('[W1] reads past a thousand headers', async () => {
    const many = Array.from({ length: 1_000 }, (_, number) => `X${number}: 1`);
    const received = await exchange(head(...many, `Content-Length: ${list(1).length}`) + list(1), hasBody);
    expect(received).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('[W3] answers pipelined requests in their order, a broken one among them', async () => {
    const broken = `${head('Content-Length: 5')}hello`;
    const received = await exchange(whole(1) + broken + whole(3), (text) => text.includes('"id":3'));
    const ids = [...received.matchAll(/"jsonrpc":"2.0","id":(\w+)/g)].map(([, id]) => id);
    expect(ids).toEqual(['1', 'null', '3']);
  });

  it.each([
    ['a chunk of no size', 'Transfer-Encoding: chunked', 'zz\r\n{}\r\n0\r\n\r\n'],
    ['a chunk longer than announced', 'Transfer-Encoding: chunked', '2\r\n{"jsonrpc":1}\r\n0\r\n\r\n'],
    ['a chunk of negative size', 'Transfer-Encoding: chunked', '-1\r\n{}\r\n0\r\n\r\n'],
    ['both ways to say the length', 'Content-Length: 2\r\nTransfer-Encoding: chunked', '0\r\n\r\n'],
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 3', '{}}'],
    ['a length that is no number', 'Content-Length: 2x', '{}'],
    [
      'a chunked encoding that is not the last',
      'Transfer-Encoding: chunked, identity',
      '2\r\n{}\r\n0\r\n\r\n',
    ],
    ['a header with NUL', 'X-Nul: a\u0000b', ''],
  ])('[W7] [B36] refuses %s with 400 and closes', async (_, header, body) => {
    const received = await exchange(head(header) + body);
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
    expect(received).not.toMatch(INTERNALS);
  });

  it('[W7] [B36] takes what follows a body that is longer than announced for no part of it, and closes', async () => {
    const received = await exchange(`${head('Content-Length: 2')}{}trailing bytes\r\n\r\n`);
    expect(received).toMatch(/HTTP\/1\.1 400 /);
    expect(received).not.toContain('trailing');
  });

  it('[W7] [B36] answers 413 to a body without end as soon as it is too long', async () => {
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
    const received = await exchange(head('Transfer-Encoding: chunked') + chunk.repeat(5), hasBody);
    expect(received).toMatch(/^HTTP\/1\.1 413 .*\{"error":/s);
  });

  it.each([
    ['half a head', () => good.slice(0, 3).join('\r\n')],
    ['half a body', () => `${head('Content-Length: 500')}{"jsonrpc":"2.0","id":1,"method":"SendMessage"`],
    ['half a chunk', () => `${head('Transfer-Encoding: chunked')}ff\r\n{"jsonrpc"`],
    ['nothing', () => ''],
  ])('[W7] runs nothing of %s whose sender goes away', async (_, bytes) => {
    const before = daemon.submissions.length;
    await exchange(bytes(), () => true);
    expect((await api.rpc(ADDRESSES.helper, 'ListTasks', {})).body.result.tasks).toEqual([]);
    expect(daemon.submissions).toHaveLength(before);
  });

  it('[R8] [B150] stops although a request was sent by half and an idle connection is open', async () => {
    const other = await TestApi.start();
    const { hostname, port } = new URL(other.url);
    const authorization = `Authorization: Bearer ${await other.token('acct-bob')}`;
    const half = connect(Number(port), hostname);
    const idle = connect(Number(port), hostname);
    let answered = false;
    idle.on('data', () => (answered = true)).on('error', () => undefined);
    half.on('error', () => undefined);
    idle.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    half.write([...good.slice(0, 4), authorization, 'Content-Length: 500', '', '{"jsonrpc"'].join('\r\n'));
    await until('the idle connection was used', () => answered);
    const ends = [half, idle].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    await other.close();
    await Promise.all(ends);
  });

  it.each([
    ['its head', () => good.slice(0, 3).join('\r\n')],
    ['its body', () => `${head('Content-Length: 500')}{"jsonrpc"`],
  ])('[W5] answers 408 to a request that does not send %s in time, and closes', async (_, bytes) => {
    const impatient = await TestApi.start({ HTTP_REQUEST_TIMEOUT_MS: '100' });
    try {
      expect(await exchange(bytes(), undefined, impatient)).toMatch(/^HTTP\/1\.1 408 /);
    } finally {
      await impatient.close();
    }
  });

  it('[W5] ends a connection that is idle for too long', async () => {
    const impatient = await TestApi.start({ HTTP_KEEP_ALIVE_MS: '100' });
    try {
      const received = await exchange('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n', undefined, impatient);
      expect(received).toMatch(/^HTTP\/1\.1 200 /);
    } finally {
      await impatient.close();
    }
  });

  it.each([
    ['HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['TLS', '\u0016\u0003\u0001\u0000\u00a5\u0001\u0000\u0000\u00a1\u0003\u0003\r\n\r\n'],
    ['no host', 'GET / HTTP/1.1\r\n\r\n'],
    ['no HTTP', 'hello\r\n\r\n'],
    ['a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('[W5] ends a connection that brings %s without a word about itself', async (_, bytes) => {
    const received = await exchange(bytes);
    expect(received).not.toMatch(INTERNALS);
    expect(received).toMatch(/^(HTTP\/1\.1 400 |$)/);
  });
});
