import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { EXECUTORS } from '../support/executors.js';
import { ADDRESSES, newMessage, type TestApi } from '../support/test-api.js';

describe.each(EXECUTORS)('sizes, %s', (_name, start) => {
  let api: TestApi;

  beforeAll(async () => {
    ({ api } = await start());
  });
  afterAll(() => api.close());

  const bodyOf = (bytes: number) => {
    const empty = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ListTasks', params: {}, padding: '' });
    return empty.replace('"padding":""', `"padding":"${'x'.repeat(bytes - empty.length)}"`);
  };

  it('[W7] [B36] reads 64 KiB and answers 413 to one byte more, plain and gzipped', async () => {
    const gzip = { headers: { 'Content-Encoding': 'gzip' } };
    expect(Buffer.byteLength(bodyOf(65_536))).toBe(65_536);
    expect((await api.post(ADDRESSES.helper, bodyOf(65_536))).body.result).toBeDefined();
    expect((await api.post(ADDRESSES.helper, gzipSync(bodyOf(65_536)), gzip)).body.result).toBeDefined();
    for (const answer of [
      await api.post(ADDRESSES.helper, bodyOf(65_537)),
      await api.post(ADDRESSES.helper, gzipSync(bodyOf(65_537)), gzip),
      await api.post(ADDRESSES.helper, bodyOf(65_537), { headers: { 'Transfer-Encoding': 'chunked' } }),
    ]) {
      expect(answer).toMatchObject({ status: 413, body: { error: expect.stringContaining('65536') } });
    }
  });

  it('[W7] [B36] survives a body that is longer or shorter than announced', async () => {
    const { hostname, port } = new URL(api.url);
    const head = [
      `POST ${ADDRESSES.helper} HTTP/1.1`,
      'Host: x',
      'Content-Type: application/json',
      'A2A-Version: 1.0',
      `Authorization: Bearer ${await api.token('acct-bob')}`,
      'Content-Length: 500',
    ].join('\r\n');
    const socket = connect(Number(port), hostname);
    await new Promise<void>((resolve) => socket.write(`${head}\r\n\r\n{"jsonrpc":`, () => resolve()));
    socket.destroy();
    expect((await api.rpc(ADDRESSES.helper, 'ListTasks', {})).status).toBe(200);
  });

  it('[W7] does not inflate a small body without bound', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
    const answer = await api.post(ADDRESSES.helper, bomb, { headers: { 'Content-Encoding': 'gzip' } });
    expect(answer.status).toBe(413);
  });

  it.each([
    ['gzip', 200, -32700],
    ['compress', 415, -32005],
  ])('[W3] answers a body that is not the %s it says it is', async (encoding, status, code) => {
    const answer = await api.post(ADDRESSES.helper, 'not compressed', {
      headers: { 'Content-Encoding': encoding },
    });
    expect(answer.status).toBe(status);
    expect(answer.body.error.code).toBe(code);
  });

  it('[W7] [B14] takes identifiers and retry keys of 128 characters and refuses 129, in params and header', async () => {
    const key = (length: number) => ({ headers: { 'Idempotency-Key': 'k'.repeat(length) } });
    const send = (message: object, options?: object) =>
      api.rpc(
        ADDRESSES.helper,
        'SendMessage',
        { message, configuration: { returnImmediately: true } },
        options,
      );
    expect((await send(newMessage({ messageId: 'i'.repeat(128) }), key(128))).body.result).toBeDefined();
    for (const answer of [
      await send(newMessage({ messageId: 'i'.repeat(129) })),
      await send(newMessage(), key(129)),
      await send(newMessage(), { headers: { 'Idempotency-Key': ' ' } }),
      await api.rpc(ADDRESSES.helper, 'GetTask', { id: 'i'.repeat(129) }),
      await api.rpc(ADDRESSES.helper, 'CancelTask', { id: 'i'.repeat(129) }),
    ]) {
      expect(answer.body.error.code).toBe(-32602);
      expect(answer.text.toLowerCase()).not.toContain('sql');
    }
  });
});
