import { once } from 'node:events';
import { createServer, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clientSignal, isClientGone } from './client-signal.js';

describe('clientSignal', () => {
  let server: Server;
  beforeEach(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => server.close());

  const opened = async () => {
    const arrived = once(server, 'request');
    const client = request({ port: (server.address() as AddressInfo).port, agent: false });
    client.on('error', () => undefined).end();
    const [, response] = (await arrived) as [unknown, ServerResponse];
    return { client, response };
  };

  it('[S3] is aborted when the client goes, whether it was asked for before or after', async () => {
    const { client, response } = await opened();
    const before = clientSignal(response);
    expect([before.aborted, isClientGone(response)]).toEqual([false, false]);
    const closed = once(response, 'close');
    client.destroy();
    await closed;
    expect([before.aborted, isClientGone(response)]).toEqual([true, true]);
    expect(clientSignal(response).aborted).toBe(true);
  });

  it('[S3] is not aborted by an answer that was sent', async () => {
    const { client, response } = await opened();
    const signal = clientSignal(response);
    const closed = once(response, 'close');
    const answered = once(client, 'response');
    response.end('done');
    await Promise.all([closed, answered]);
    expect([signal.aborted, isClientGone(response), clientSignal(response).aborted]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
