import { EXECUTORS } from '../support/executors.js';
import { PUBLISHED, type TestApi } from '../support/test-api.js';
import { V03Client, message03 } from '../support/v03-client.js';

const SENDING = ['message/send', 'message/stream'];
const text = (more: object = {}) => ({ kind: 'text', text: 'hi', ...more });

describe.each(EXECUTORS)('the 0.3 wire, %s', (_name, start) => {
  let api: TestApi;
  let client: V03Client;

  beforeAll(async () => {
    ({ api } = await start({ onSubmit: ({ params }, self) => void self.complete(params.jobId) }));
    client = new V03Client(api);
  });
  afterAll(() => api.close());

  /** The one answer to a call, in whichever form it comes. */
  async function answerTo(method: string, params: unknown): Promise<any> {
    if (method === 'message/send') return (await client.rpc(method, params)).body;
    const stream = await client.stream(method, params);
    const answer = await stream.answer();
    await stream.rest();
    return answer;
  }

  describe.each(SENDING)('%s', (method) => {
    it.each([
      [{}, 'message'],
      [{ message: null }, 'message'],
      [{ message: 'hi' }, 'message'],
      [{ message: message03({ parts: undefined }) }, 'message.parts'],
      [{ message: message03({ parts: null }) }, 'message.parts'],
      [{ message: message03({ parts: [] }) }, 'message.parts'],
      [{ message: message03({ parts: [null] }) }, 'message.parts'],
      [{ message: message03({ parts: [{ text: 'hi' }] }) }, 'message.parts[0].kind'],
      [{ message: message03({ parts: [text(), { kind: 'poem', text: 'hi' }] }) }, 'message.parts[1].kind'],
      [{ message: message03({ parts: [{ kind: 'text' }] }) }, 'message.parts[0].text'],
      [{ message: message03({ parts: [text({ text: '' })] }) }, 'message.parts[0].text'],
      [{ message: message03({ parts: [text({ text: 5 })] }) }, 'message.parts[0].text'],
      [{ message: message03({ parts: [text({ metadata: 'x' })] }) }, 'message.parts[0].metadata'],
      [{ message: message03({ parts: [text({ text: ' \n' })] }) }, 'message.parts'],
      [{ message: message03({ parts: [text({ text: 'x'.repeat(8_001) })] }) }, 'message.parts'],
      [{ message: message03({ role: 'agent' }) }, 'message.role'],
      [{ message: message03({ role: 'ROLE_USER' }) }, 'message.role'],
      [{ message: message03({ kind: 'task' }) }, 'message.kind'],
      [{ message: message03({ messageId: undefined }) }, 'message.messageId'],
      [{ message: message03({ messageId: 'x'.repeat(129) }) }, 'message.messageId'],
      [{ message: message03({ contextId: 5 }) }, 'message.contextId'],
      [{ message: message03({ metadata: [] }) }, 'message.metadata'],
      [{ message: message03(), configuration: null }, 'configuration'],
      [{ message: message03(), configuration: [] }, 'configuration'],
      [{ message: message03(), configuration: { blocking: 'no' } }, 'configuration.blocking'],
      [{ message: message03(), configuration: { historyLength: -1 } }, 'configuration.historyLength'],
      [
        { message: message03(), configuration: { acceptedOutputModes: 'text' } },
        'configuration.acceptedOutputModes',
      ],
      [{ message: message03(), metadata: 'x' }, 'metadata'],
    ])('[B118] [P7] refuses %j, naming %s', async (params, field) => {
      const { error } = await answerTo(method, params);
      expect(error).toMatchObject({ code: -32602, message: 'Invalid parameters' });
      expect(error.data[0].fieldViolations.map((violation: any) => violation.field)).toEqual([field]);
    });

    it.each([
      [{ message: message03({ parts: [{ kind: 'file' }] }) }, -32005],
      [{ message: message03({ parts: [{ kind: 'file', file: { uri: 'https://example.org' } }] }) }, -32005],
      [{ message: message03({ parts: [text(), { kind: 'data', data: { a: 1 } }] }) }, -32005],
      [{ message: message03(), configuration: { acceptedOutputModes: ['image/png'] } }, -32005],
      [
        { message: message03(), configuration: { pushNotificationConfig: { url: 'https://example.org' } } },
        -32003,
      ],
    ])('[B118] [P7] refuses %j with %d', async (params, code) => {
      expect((await answerTo(method, params)).error.code).toBe(code);
    });

    it.each([
      { message: message03({ kind: undefined }) },
      {
        message: message03({ contextId: null, taskId: '', metadata: null, extensions: null }),
        metadata: null,
      },
      { message: message03({ later: {}, parts: [text({ later: 1 })] }), later: true },
      {
        message: message03({ parts: [text({ text: '🌻'.repeat(8_000) })] }),
        configuration: {
          acceptedOutputModes: null,
          blocking: null,
          historyLength: null,
          pushNotificationConfig: {},
        },
      },
    ])('[P7] [B09] takes %j: null is absent, and what it does not know is ignored', async (params) => {
      const answer = await answerTo(method, params);
      expect(answer.result).toMatchObject({ kind: 'task' });
    });
  });

  it.each([
    ['tasks/list', -32601],
    ['ListTasks', -32601],
    ['SendMessage', -32601],
    ['constructor', -32601],
    ['tasks/pushNotificationConfig/set', -32003],
    ['tasks/pushNotificationConfig/get', -32003],
    ['tasks/pushNotificationConfig/list', -32003],
    ['tasks/pushNotificationConfig/delete', -32003],
    ['agent/getAuthenticatedExtendedCard', -32007],
    ['tasks/get', -32602],
    ['tasks/cancel', -32602],
  ])('[B32] [P7] %s is %d', async (method, code) => {
    const answer = await client.rpc(method, {});
    expect(answer.status).toBe(200);
    expect(answer.body.error.code).toBe(code);
    expect(Object.keys(answer.body.error).every((key) => ['code', 'message', 'data'].includes(key))).toBe(
      true,
    );
  });

  it('[P7] [W8] metadata is kept as it is, whatever its keys', async () => {
    const metadata = '{"__proto__":{"x":1},"constructor":{"a":null}}';
    const params = JSON.stringify({ message: message03({ metadata: 0 }) }).replace(
      '"metadata":0',
      `"metadata":${metadata}`,
    );
    const answer = await client.post(`{"jsonrpc":"2.0","id":1,"method":"message/send","params":${params}}`);
    expect(answer.text).toContain(metadata);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it.each([
    ['{"a":', -32700],
    ['[]', -32600],
    ['{"jsonrpc":"2.0","method":"tasks/get"}', -32600],
  ])('[P7] [W3] the envelope %s is answered %d', async (body, code) => {
    expect((await client.post(body)).body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } });
  });

  it.each([
    [undefined, undefined],
    ['', undefined],
    ['0.3', undefined],
    ['0.3.0', undefined],
    ['1.0', -32009],
    ['9.9', -32009],
  ])('[P7] A2A-Version %j leads to error %s', async (version, code) => {
    const { body } = await client.rpc(
      'message/send',
      { message: message03() },
      { headers: { 'A2A-Version': version } },
    );
    expect(body.error?.code).toBe(code);
  });

  it('[P2] [W1] the address answers POST of JSON, with or without a slash at its end', async () => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'message/send',
      params: { message: message03() },
    });
    const slash = await client.post(body, { address: `${PUBLISHED.helper}/` });
    expect(slash.body.result.kind).toBe('task');
    for (const verb of ['GET', 'PUT', 'DELETE']) {
      const answer = await api.request(verb, PUBLISHED.helper);
      expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST']);
    }
    const typed = await client.post(body, { headers: { 'Content-Type': 'text/plain' } });
    expect([typed.status, typed.body.error.code]).toEqual([415, -32005]);
  });

  it('[P1] [P2] serves every published agent, whatever its visibility at 1.0, and no other', async () => {
    const statusOf = async (address: string) =>
      (await client.rpc('message/send', { message: message03() }, { address })).status;
    expect(await statusOf(PUBLISHED.hidden)).toBe(200);
    for (const address of [PUBLISHED.draft, PUBLISHED.absent, '/a2a/@alice', '/a2a/%40alice']) {
      expect(await statusOf(address)).toBe(404);
    }
    const card = await api.request('GET', `${PUBLISHED.hidden}/.well-known/agent-card.json`);
    expect(new URL(card.body.url).pathname).toBe(PUBLISHED.hidden);
    const draft = await api.request('GET', `${PUBLISHED.draft}/.well-known/agent-card.json`);
    const absent = await api.request('GET', `${PUBLISHED.absent}/.well-known/agent-card.json`);
    expect([draft.status, draft.text]).toEqual([404, absent.text]);
  });

  it('[P2] [H1] asks for a credential before it says anything of the address', async () => {
    for (const address of [PUBLISHED.helper, PUBLISHED.absent]) {
      const answer = await client.rpc('tasks/get', {}, { address, authorization: undefined });
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({ error: 'An API key or account access token is required' });
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="hello-api"');
    }
  });

  it('[B103] [H4] a task is unknown at another agent', async () => {
    const { result } = (await client.rpc('message/send', { message: message03() })).body;
    expect((await client.rpc('tasks/get', { id: result.id })).body.result.id).toBe(result.id);
    for (const method of ['tasks/get', 'tasks/cancel']) {
      const elsewhere = await client.rpc(method, { id: result.id }, { address: PUBLISHED.hidden });
      expect(elsewhere.body.error).toMatchObject({ code: -32001, message: 'Task not found' });
    }
  });
});
