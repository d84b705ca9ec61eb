import { connect as connectTcp, type Socket } from 'node:net';
import { request } from 'node:http';
import { WebSocket } from 'ws';
import { type RelayApp, HELLO, connect, startRelay, until } from './relay-app.js';

/** A text frame as a client sends it, masked with zeroes. */
function clientFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 255, 0, 0, 0, 0]);
  return Buffer.concat([head, payload]);
}

function upgradeRequest(token?: string, path = '/relay'): string {
  const lines = [
    `GET ${path} HTTP/1.1`,
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ];
  if (token !== undefined) lines.push(`Authorization: Bearer ${token}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}

const hello = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'relay.hello', params: HELLO });
const report = JSON.stringify({
  jsonrpc: '2.0',
  id: 2,
  method: 'job.updated',
  params: { jobId: 'task-1', state: 'succeeded', revision: 9, updatedAt: '2026-01-01T00:00:00.000Z' },
});

/** Writes everything as one packet and returns what comes back. */
function talk(port: number, data: Buffer, isDone: (received: string) => boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket: Socket = connectTcp(port, '127.0.0.1', () => socket.write(data));
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (isDone(received)) socket.destroy();
    });
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
}

async function refusalOf(url: string, headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(url, 'hello.relay.v1', { headers });
  return new Promise((resolve, reject) => {
    socket.on('unexpected-response', (_request, response) => {
      resolve(response.statusCode ?? 0);
      socket.terminate();
    });
    socket.on('open', () => reject(new Error('it was let in')));
    socket.on('error', () => undefined);
  });
}

describe('upgrade of the relay', () => {
  let relay: RelayApp;

  beforeEach(async () => {
    relay = await startRelay();
  });
  afterEach(() => relay.app.close());

  it.each([
    ['no token', {}],
    ['an unknown token', { authorization: 'Bearer rt_two' }],
    ['an account token', { authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.x' }],
    ['another scheme', { authorization: 'Basic rt_one' }],
    ['an endless token', { authorization: `Bearer rt_${'a'.repeat(4000)}` }],
  ])('[R1] refuses %s with 401 before the upgrade', async (_name, headers) => {
    expect(await refusalOf(relay.url, headers as Record<string, string>)).toBe(401);
  });

  it('[R1] refuses a revoked token with 401', async () => {
    relay.directory.tokens.delete('computer-1');
    expect(await refusalOf(relay.url, { authorization: 'Bearer rt_one' })).toBe(401);
  });

  it('[R1] answers 503 and not 401 when nobody can say whether the token is good', async () => {
    relay.directory.failing = true;
    expect(await refusalOf(relay.url, { authorization: 'Bearer rt_one' })).toBe(503);
  });

  it('[B129] processes nothing that a refused socket sent in the packet of its upgrade', async () => {
    const packet = Buffer.concat([
      Buffer.from(upgradeRequest('rt_bad')),
      clientFrame(hello),
      clientFrame(report),
    ]);
    const received = await talk(relay.port, packet, () => false);
    expect(received).toMatch(/^HTTP\/1\.1 401 /);
    expect(received).not.toContain('101');
    expect(relay.reports.taken).toEqual([]);
    expect(relay.sessions.connectedComputers()).toEqual([]);
  });

  it('[R2] loses no frame that an admitted socket sent in the packet of its upgrade', async () => {
    relay.directory.lookUp = () => new Promise((resolve) => setImmediate(resolve));
    const packet = Buffer.concat([
      Buffer.from(upgradeRequest('rt_one')),
      clientFrame(hello),
      clientFrame(report),
    ]);
    const received = await talk(relay.port, packet, (text) => text.includes('acknowledged'));
    expect(received).toMatch(/^HTTP\/1\.1 101 /);
    expect(received).toContain('"acknowledged":9');
    expect(relay.reports.taken.map(({ report: { taskId } }) => taskId)).toEqual(['task-1']);
  });

  it('[R1] survives sockets that are reset during the upgrade', async () => {
    let asked = 0;
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    relay.directory.lookUp = () => {
      asked += 1;
      return answered;
    };
    const sockets = Array.from({ length: 20 }, () => {
      const socket = connectTcp(relay.port, '127.0.0.1', () => socket.write(upgradeRequest('rt_one')));
      return socket.on('error', () => undefined);
    });
    await until(() => asked === 20, 'all upgrades ask the directory');
    for (const socket of sockets) socket.resetAndDestroy();
    answer();
    const daemon = await connect(relay);
    expect((await daemon.request('relay.hello', HELLO)).result).toBeDefined();
    expect(relay.sessions.connectedComputers()).toEqual(['computer-1']);
    daemon.socket.terminate();
  });

  it('[R1] upgrades nowhere else; there the request is answered as if it had not asked', async () => {
    expect(await refusalOf(`ws://127.0.0.1:${relay.port}/ping`, { authorization: 'Bearer rt_one' })).toBe(
      200,
    );
    expect(await refusalOf(`ws://127.0.0.1:${relay.port}/other`, { authorization: 'Bearer rt_one' })).toBe(
      404,
    );
  });

  it('[W1] takes the address with a trailing slash', async () => {
    const daemon = await connect({ url: `${relay.url}/` });
    expect(daemon.socket.protocol).toBe('hello.relay.v1');
    daemon.socket.terminate();
  });

  it('[W1] serves an HTTP request that offers HTTP/2 as the request that it is, body and keep-alive included', async () => {
    const answers = await new Promise<string>((resolve, reject) => {
      const call = request(
        {
          port: relay.port,
          path: '/ping',
          headers: { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c' },
        },
        (response) => {
          response
            .setEncoding('utf8')
            .on('data', (text: string) => resolve(`${response.statusCode} ${text}`));
        },
      );
      call.on('error', reject).end();
    });
    expect(answers).toBe('200 pong');

    const post = [
      'POST /none HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nContent-Length: 4\r\n\r\nbody',
      'GET /ping HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    ];
    const received = await talk(relay.port, Buffer.from(post.join('')), () => false);
    expect(received).toMatch(/^HTTP\/1\.1 404 [^]*HTTP\/1\.1 200 [^]*pong$/);
  });
});
