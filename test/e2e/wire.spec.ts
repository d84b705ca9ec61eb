import { EXECUTORS, type Script } from '../support/executors.js';
import { ADDRESSES, newMessage, type TestApi } from '../support/test-api.js';

const METHODS = ['SendMessage', 'GetTask', 'ListTasks', 'CancelTask'];

describe.each(EXECUTORS)('the 1.0 wire, %s', (_name, start) => {
  let api: TestApi;
  let daemon: Script;

  beforeAll(async () => {
    ({ api, daemon } = await start());
  });
  afterAll(() => api.close());

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
