import { gzipSync } from 'node:zlib';
import { connect } from 'node:net';
import { ADDRESSES, TestApi, newMessage } from '../support/test-api.js';
import type { ScriptedDaemon } from '../support/scripted-daemon.js';

const METHODS = ['SendMessage', 'GetTask', 'ListTasks', 'CancelTask'];

describe('the 1.0 wire', () => {
  let api: TestApi;
  let daemon: ScriptedDaemon;

  beforeAll(async () => {
    api = await TestApi.start();
    daemon = await api.daemon();
  });
  afterAll(() => api.close());

  describe('HTTP', () => {
    it.each([
      'application/json',
      'application/json; charset=utf-8',
      'APPLICATION/JSON',
      'application/json;charset="UTF-8"',
    ])('[W1] [B41] accepts Content-Type %s', async (type) => {
      const answer = await api.rpc(ADDRESSES.helper, 'ListTasks', {}, { headers: { 'Content-Type': type } });
      expect(answer).toMatchObject({ status: 200, body: { result: { tasks: expect.any(Array) } } });
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
    });

    it.each([
      'text/plain',
      undefined,
      'application/a2a+json',
      'application/json; charset=iso-8859-1',
      'application/jsonx',
    ])('[W1] [B41] answers 415 with -32005 and id null to Content-Type %s', async (type) => {
      const answer = await api.rpc(ADDRESSES.helper, 'ListTasks', {}, { headers: { 'Content-Type': type } });
      expect(answer).toMatchObject({
        status: 415,
        body: { jsonrpc: '2.0', id: null, error: { code: -32005 } },
      });
    });

    it.each(['GET', 'PUT', 'DELETE', 'PATCH'])('[W1] answers 405 with Allow to %s', async (verb) => {
      const answer = await api.request(verb, ADDRESSES.helper);
      expect(answer).toMatchObject({
        status: 405,
        headers: { allow: 'POST' },
        body: { error: expect.any(String) },
      });
    });

    it('[W1] [B47] serves a trailing slash as the same address and never redirects', async () => {
      const answer = await api.rpc(`${ADDRESSES.helper}/`, 'ListTasks', {});
      expect(answer).toMatchObject({ status: 200, body: { result: { tasks: expect.any(Array) } } });
      const card = await api.request('GET', `${ADDRESSES.helper}/.well-known/agent-card.json/`);
      expect(card.status).toBe(200);
      expect((await api.request('POST', `${ADDRESSES.helper}//`)).status).toBe(404);
    });

    it.each([
      ['/a2a/%40alice/helper', 200],
      ['/a2a/@alice/%68elper', 200],
      ['/a2a/@Alice/helper', 404],
      ['/a2a/@alice/Helper', 404],
      ['/A2A/@alice/helper', 404],
      ['/a2a/@alice/a%2Fb', 404],
      ['/a2a/@alice/%zz', 400],
      ['/a2a/alice/helper', 404],
      ['/a2a/@/helper', 404],
      ['/a2a/@__proto__/constructor', 404],
    ])('[B54] [B21] [O2] answers POST %s with %d, in JSON and with its request id', async (path, status) => {
      const answer = await api.rpc(path, 'ListTasks', {});
      expect(answer.status).toBe(status);
      expect(answer.body).toBeInstanceOf(Object);
      expect(answer.headers['x-request-id']).toEqual(expect.any(String));
    });

    it('[B38] answers JSON-RPC errors with 200', async () => {
      expect((await api.rpc(ADDRESSES.helper, 'GetTask', { id: 'nobody' })).status).toBe(200);
      expect((await api.rpc(ADDRESSES.helper, 'GetTask', {})).status).toBe(200);
    });

    it('[W1] [W4] answers an envelope and nothing else, also to Accept: text/html', async () => {
      const answer = await api.rpc(ADDRESSES.helper, 'Nope', {}, { headers: { Accept: 'text/html' } });
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
      expect(answer.body).toEqual({
        jsonrpc: '2.0',
        id: 'rpc-1',
        error: { code: -32601, message: 'Method not found' },
      });
    });

    it('[B56] has no CORS unless it is asked for', async () => {
      const answer = await api.request('OPTIONS', ADDRESSES.helper, { headers: preflight });
      expect(answer.status).toBeLessThan(500);
      expect(answer.status).not.toBe(401);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    });

    it('[B56] allows the headers of A2A to the origins that are named', async () => {
      const open = await TestApi.start({ CORS_ORIGINS: 'https://app.example' });
      const answer = await open.request('OPTIONS', ADDRESSES.helper, { headers: preflight });
      expect(answer.status).toBe(204);
      expect(answer.headers['access-control-allow-origin']).toBe('https://app.example');
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
      const allowed = String(answer.headers['access-control-allow-headers']).toLowerCase();
      for (const name of ['a2a-version', 'authorization', 'idempotency-key', 'content-type'])
        expect(allowed).toContain(name);
      const stranger = await open.request('OPTIONS', ADDRESSES.helper, {
        headers: { ...preflight, Origin: 'https://evil.example' },
      });
      expect(stranger.headers['access-control-allow-origin']).not.toBe('https://evil.example');
      await open.close();
    });
  });

  describe('versions', () => {
    it.each([...METHODS, 'SendStreamingMessage'])(
      '[W2] [B29] %s checks the version and names what is supported',
      async (method) => {
        const answer = await api.rpc(ADDRESSES.helper, method, {}, { headers: { 'A2A-Version': '9.9' } });
        expect(answer.body.error).toMatchObject({
          code: -32009,
          data: [
            {
              reason: 'VERSION_NOT_SUPPORTED',
              domain: 'a2a-protocol.org',
              metadata: { supportedVersions: '1.0' },
            },
          ],
        });
      },
    );

    it.each([undefined, ''])('[W2] [B28] takes an A2A-Version of %j as 0.3', async (version) => {
      const answer = await api.rpc(
        ADDRESSES.helper,
        'ListTasks',
        {},
        { headers: { 'A2A-Version': version } },
      );
      expect(answer.body.error.code).toBe(-32009);
    });

    it('[W2] takes the version from the query as well', async () => {
      const options = { headers: { 'A2A-Version': undefined }, query: '?A2A-Version=1.0' };
      expect((await api.rpc(ADDRESSES.helper, 'ListTasks', {}, options)).body.result).toBeDefined();
    });
  });

  describe('envelopes', () => {
    it.each([7, '7', 0, '', -1])('[W3] [B33] echoes the id %j', async (id) => {
      const answer = await api.rpc(ADDRESSES.helper, 'ListTasks', {}, { id });
      expect(answer.body.id).toBe(id);
    });

    it.each(['{"a":', '', 'hello', '\u0000'])('[W3] [B35] answers -32700 to %j', async (body) => {
      const answer = await api.post(ADDRESSES.helper, body);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32700, message: 'Invalid JSON payload' },
      });
    });

    it('[W3] [B15] repeats nothing of a broken body', async () => {
      const answer = await api.post(ADDRESSES.helper, '{"token":"sk-secret-1234", oops');
      expect(answer.text).not.toContain('secret');
    });

    it('[B39] runs nothing of a batch', async () => {
      const before = daemon.submissions.length;
      const one = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message: newMessage() } };
      const answer = await api.post(ADDRESSES.helper, JSON.stringify([one, one]));
      expect(answer.body).toMatchObject({ id: null, error: { code: -32600 } });
      expect(daemon.submissions).toHaveLength(before);
    });

    it.each(METHODS)('[B34] %s answers -32602 to params that are no object', async (method) => {
      for (const params of [[], ['x'], 'x', 5, true]) {
        expect((await api.rpc(ADDRESSES.helper, method, params)).body.error.code).toBe(-32602);
      }
    });

    it('[B34] ListTasks takes absent and null params as empty', async () => {
      for (const params of [undefined, null]) {
        expect((await api.rpc(ADDRESSES.helper, 'ListTasks', params)).body.result.tasks).toBeInstanceOf(
          Array,
        );
      }
    });

    it('[W3] [W4] [B42] names every bad field in a google.rpc.BadRequest', async () => {
      const answer = await api.rpc(ADDRESSES.helper, 'SendMessage', { message: { role: 'x', parts: [] } });
      const { error } = answer.body;
      expect(Object.keys(error).sort()).toEqual(['code', 'data', 'message']);
      expect(error.data[0]['@type']).toBe('type.googleapis.com/google.rpc.BadRequest');
      const fields = error.data[0].fieldViolations.map((violation: { field: string }) => violation.field);
      expect(fields.sort()).toEqual(['message.messageId', 'message.parts', 'message.role']);
    });

    it('[W4] [B42] gives A2A errors the reason and the domain of the specification', async () => {
      const answer = await api.rpc(ADDRESSES.helper, 'GetTask', { id: 'never-issued' });
      expect(answer.body.error).toEqual({
        code: -32001,
        message: 'Task not found',
        data: [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: 'TASK_NOT_FOUND',
            domain: 'a2a-protocol.org',
          },
        ],
      });
    });

    it.each([
      ['SendStreamingMessage', -32004],
      ['SubscribeToTask', -32004],
      ['GetExtendedAgentCard', -32004],
      ['CreateTaskPushNotificationConfig', -32003],
      ['GetTaskPushNotificationConfig', -32003],
      ['ListTaskPushNotificationConfigs', -32003],
      ['DeleteTaskPushNotificationConfig', -32003],
      ['constructor', -32601],
      ['message/send', -32601],
      ['sendmessage', -32601],
    ])('[G6] [B125] [B21] answers %s with %d', async (method, code) => {
      expect((await api.rpc(ADDRESSES.helper, method, {})).body.error.code).toBe(code);
    });
  });

  describe('sizes', () => {
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

  it('[W8] [B21] keeps metadata as data, whatever its keys, and changes nothing', async () => {
    const metadata = '{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}},"n":[1,{"a":null}]}';
    const message = JSON.stringify(newMessage({ metadata: 0 })).replace(
      '"metadata":0',
      `"metadata":${metadata}`,
    );
    const answer = await api.post(
      ADDRESSES.helper,
      `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":${message},"configuration":{"returnImmediately":true}}}`,
    );
    expect(answer.text).toContain(metadata);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    const got = await api.rpc(ADDRESSES.helper, 'GetTask', { id: answer.body.result.task.id });
    expect(got.text).toContain(metadata);
  });

  it('[W6] reads both spellings, and writes camelCase, enum names and UTC milliseconds', async () => {
    const answer = await api.rpc(ADDRESSES.helper, 'SendMessage', {
      message: {
        message_id: `snake-${Date.now()}`,
        role: 1,
        parts: [{ text: 'hi', media_type: 'text/plain' }],
        context_id: null,
      },
      configuration: { return_immediately: true, history_length: '1' },
    });
    const { task } = answer.body.result;
    expect(task.status.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(task.status.state).toMatch(/^TASK_STATE_/);
    expect(task.history).toEqual([
      {
        messageId: expect.any(String),
        contextId: task.contextId,
        taskId: task.id,
        role: 'ROLE_USER',
        parts: [{ text: 'hi', mediaType: 'text/plain' }],
      },
    ]);
    expect(answer.text).not.toMatch(/"(message_id|context_id|kind|final)"/);
  });
});

const preflight = {
  Origin: 'https://app.example',
  'Access-Control-Request-Method': 'POST',
  'Access-Control-Request-Headers': 'a2a-version,authorization,idempotency-key,content-type',
};
