import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { EXECUTORS } from '../support/executors.js';
import { API_KEY, PUBLISHED } from '../support/test-api.js';
import { EventStream, message03, told } from '../support/v03-client.js';

const IDLE_LIMIT_MS = 1_500;
const KEEPALIVE_MS = 100;

/** A proxy that cuts a connection when nothing has come from the service for its limit, as many do after a minute. */
async function impatientProxy(target: string) {
  const { port, hostname } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => [client, upstream].forEach((each) => each.destroy()));
    }
    client.pipe(upstream);
    upstream.pipe(client);
    upstream.setTimeout(IDLE_LIMIT_MS, () => upstream.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

async function openThrough(proxy: { url: string }): Promise<EventStream> {
  const request = httpRequest(new URL(PUBLISHED.helper, proxy.url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${API_KEY}` },
    agent: false,
  });
  request.on('error', () => undefined);
  request.end(
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/stream', params: { message: message03() } }),
  );
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return new EventStream(response);
}

describe.each(EXECUTORS)('a silent stream behind a proxy with an idle limit, %s', (_name, start) => {
  it('[B111] [P4] stays open, since comments break the silence', async () => {
    const { api, daemon } = await start({ environment: { SSE_KEEPALIVE_MS: String(KEEPALIVE_MS) } });
    const proxy = await impatientProxy(api.url);
    try {
      const stream = await openThrough(proxy);
      const { id } = await stream.next();
      const rest = stream.rest();
      // Twice the limit in comments alone.
      while (stream.comments.length < (2 * IDLE_LIMIT_MS) / KEEPALIVE_MS) await once(stream.response, 'data');
      await daemon.complete(id);
      expect((await rest).map(told).at(-1)).toBe('completed final');
    } finally {
      proxy.close();
      await api.close();
    }
  });

  it('[B111] would be cut without them', async () => {
    const { api } = await start({ environment: { SSE_KEEPALIVE_MS: '30000' } });
    const proxy = await impatientProxy(api.url);
    try {
      const stream = await openThrough(proxy);
      await stream.next();
      await expect(stream.rest()).rejects.toThrow('aborted');
    } finally {
      proxy.close();
      await api.close();
    }
  });
});
