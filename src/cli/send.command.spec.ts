import { afterEach, describe, expect, it } from '@jest/globals';
import { capturedTerminal } from '../../test/support/captured-terminal.js';
import {
  scriptedEndpoint,
  type ScriptedAnswer,
  type ScriptedEndpoint,
} from '../../test/support/scripted-endpoint.js';
import { main } from './main.js';

const TOKEN = 'eyJ.secret.token';
let endpoint: ScriptedEndpoint | undefined;

afterEach(async () => {
  await endpoint?.close();
  endpoint = undefined;
});

function task(state: string, extra: object = {}): object {
  return { id: 'task-1', contextId: 'context-1', status: { state, ...extra } };
}
const sent = (state: string): ScriptedAnswer => ({
  body: { jsonrpc: '2.0', id: 1, result: { task: task(state) } },
});
const got = (state: string, extra: object = {}): ScriptedAnswer => ({
  body: {
    jsonrpc: '2.0',
    id: 2,
    result: { ...task(state, extra), artifacts: [{ parts: [{ text: 'The reply' }] }] },
  },
});

async function send(answers: (ScriptedAnswer | 'drop')[], ...more: string[]) {
  endpoint = await scriptedEndpoint(answers);
  const terminal = capturedTerminal({ HELLO_ACCESS_TOKEN: TOKEN });
  const code = await main(['node', 'hello', 'send', endpoint.url, 'Hi', ...more], terminal);
  return { code, terminal, requests: endpoint.requests };
}

describe('hello send', () => {
  it('prints the reply alone on stdout and each state once on stderr', async () => {
    const { code, terminal } = await send([
      sent('TASK_STATE_SUBMITTED'),
      got('TASK_STATE_WORKING'),
      got('TASK_STATE_WORKING'),
      got('TASK_STATE_COMPLETED'),
    ]);
    expect(code).toBe(0);
    expect(terminal.stdout).toEqual(['The reply']);
    expect(terminal.stderr).toEqual([
      'sending',
      'submitted  task task-1',
      'working  task task-1',
      'completed  task task-1',
    ]);
  });

  it('[W2] speaks A2A 1.0: version header, bearer token, returnImmediately', async () => {
    const { requests } = await send([sent('TASK_STATE_SUBMITTED'), got('TASK_STATE_COMPLETED')]);
    expect(requests[0]?.headers).toMatchObject({
      'a2a-version': '1.0',
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
    });
    expect(requests.map(({ body }) => body.method)).toEqual(['SendMessage', 'GetTask']);
    expect(requests[0]?.body.params).toMatchObject({
      message: { role: 'ROLE_USER', parts: [{ text: 'Hi' }] },
      configuration: { returnImmediately: true },
    });
  });

  it('[S5] repeats a send whose answer was lost under the same message id', async () => {
    const { code, requests } = await send([
      'drop',
      sent('TASK_STATE_SUBMITTED'),
      got('TASK_STATE_COMPLETED'),
    ]);
    expect(code).toBe(0);
    expect(requests[1]?.body.params).toEqual(requests[0]?.body.params);
  });

  it('goes on asking after a lost answer to GetTask', async () => {
    const { code } = await send([sent('TASK_STATE_SUBMITTED'), 'drop', got('TASK_STATE_COMPLETED')]);
    expect(code).toBe(0);
  });

  it.each([
    ['TASK_STATE_FAILED', 3, 'failed'],
    ['TASK_STATE_REJECTED', 4, 'rejected'],
    ['TASK_STATE_CANCELED', 5, 'canceled'],
  ])(
    'ends %s with code %i, the explanation on stderr and nothing on stdout',
    async (state, exitCode, word) => {
      const { code, terminal } = await send([
        sent('TASK_STATE_SUBMITTED'),
        got(state, { message: { parts: [{ text: 'because' }] } }),
      ]);
      expect(code).toBe(exitCode);
      expect(terminal.stdout).toEqual([]);
      expect(terminal.stderr.at(-1)).toBe(`task task-1 ${word}: because`);
    },
  );

  it('ends with code 6 and the task id when the wait is over', async () => {
    const { code, terminal } = await send(
      [sent('TASK_STATE_SUBMITTED'), got('TASK_STATE_WORKING')],
      '--wait',
      '1s',
    );
    expect(code).toBe(6);
    expect(terminal.stderr.at(-1)).toContain('the work goes on as task task-1');
  });

  it.each([
    [401, 10, 'the access token was not accepted (401): no'],
    [404, 11, 'no such assistant, or not for this token (404): no'],
    [429, 12, 'too many messages (429): no; try again in 7 s'],
    [503, 13, 'the assistant cannot be reached (503): no; try again in 7 s'],
    [500, 14, 'HTTP 500: no'],
  ])('[W5] says HTTP %i in one line and ends with code %i', async (status, exitCode, line) => {
    const headers = status === 429 || status === 503 ? { 'retry-after': '7' } : {};
    const { code, terminal, requests } = await send([{ status, headers, body: { error: 'no' } }]);
    expect(code).toBe(exitCode);
    expect(terminal.stderr).toEqual(['sending', `hello: ${line}`]);
    expect(requests).toHaveLength(1);
  });

  it('[W4] says a JSON-RPC error in one line and ends with code 14', async () => {
    const error = { code: -32602, message: 'Invalid params' };
    const { code, terminal } = await send([{ body: { jsonrpc: '2.0', id: 1, error } }]);
    expect(code).toBe(14);
    expect(terminal.stderr.at(-1)).toBe('hello: refused: Invalid params (-32602)');
  });

  it('[W3] says which field is wrong, and why', async () => {
    const fieldViolations = [
      { field: 'message.contextId', description: 'is not known' },
      { field: '', description: 'must be an object' },
      null,
    ];
    const data = [null, { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations }];
    const error = { code: -32602, message: 'Invalid parameters', data };
    const { code, terminal } = await send([{ body: { jsonrpc: '2.0', id: 1, error } }]);
    expect(code).toBe(14);
    expect(terminal.stderr.at(-1)).toBe(
      'hello: refused: Invalid parameters (-32602); message.contextId: is not known; must be an object',
    );
  });

  it.each(['eyJ.sec\nret', 'eyJ.sec\u2026ret', 'eyJ.sec\u0000ret'])(
    '[H2] says of a token that no header can carry what is wrong, and not what it is: %j',
    async (token) => {
      const terminal = capturedTerminal({ HELLO_ACCESS_TOKEN: token });
      expect(await main(['node', 'hello', 'send', '@ann/desk', 'Hi'], terminal)).toBe(10);
      expect([...terminal.stdout, ...terminal.stderr]).toEqual([
        'hello: the access token (HELLO_ACCESS_TOKEN or --token) has characters that a header cannot carry',
      ]);
    },
  );

  it('takes a token with the line break that a file ends with', async () => {
    endpoint = await scriptedEndpoint([sent('TASK_STATE_SUBMITTED'), got('TASK_STATE_COMPLETED')]);
    const terminal = capturedTerminal({ HELLO_ACCESS_TOKEN: `${TOKEN}\n` });
    expect(await main(['node', 'hello', 'send', endpoint.url, 'Hi'], terminal)).toBe(0);
    expect(endpoint.requests[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });

  it('[H2] follows no redirect, which could carry the token elsewhere', async () => {
    const { code, requests } = await send([{ status: 307, headers: { location: '/elsewhere' }, body: '' }]);
    expect(code).toBe(14);
    expect(requests).toHaveLength(1);
  });

  it.each(['<html>', '{"jsonrpc":"2.0","id":1,"result":{}}'])(
    'says that %s is no A2A answer',
    async (body) => {
      const { code, terminal } = await send([{ body }]);
      expect(code).toBe(14);
      expect(terminal.stderr.at(-1)).toMatch(/is this an A2A/);
    },
  );

  it('says in one line that nobody listens', async () => {
    const gone = await scriptedEndpoint([]);
    await gone.close();
    const terminal = capturedTerminal({ HELLO_ACCESS_TOKEN: TOKEN });
    expect(await main(['node', 'hello', 'send', gone.url, 'Hi'], terminal)).toBe(13);
    expect(terminal.stderr.at(-1)).toBe(`hello: no answer from ${new URL(gone.url).host} (ECONNREFUSED)`);
  });

  it('asks for a token where there is none', async () => {
    const terminal = capturedTerminal();
    expect(await main(['node', 'hello', 'send', '@ann/desk', 'Hi'], terminal)).toBe(2);
    expect(terminal.stderr).toEqual([
      'hello: an access token is needed: set HELLO_ACCESS_TOKEN or give --token',
    ]);
  });
});
