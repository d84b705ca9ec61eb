import { ADDRESSES, API_KEY, PUBLISHED, newMessage, until, type TestApi } from '../support/test-api.js';
import { EXECUTORS, begun, type Script } from '../support/executors.js';
import { V03Client, message03 } from '../support/v03-client.js';

/** A task that has not ended; an assistant of the process begins after the answer. */
const OPEN = /^(submitted|working)$/;

describe.each(EXECUTORS)('messages at the 0.3 endpoint, %s', (_name, startService) => {
  let api: TestApi;
  let daemon: Script;
  let client: V03Client;

  beforeAll(async () => {
    ({ api, daemon } = await startService({ environment: { A2A_V03_WAIT_BUDGET_MS: '60000' } }));
    client = new V03Client(api);
  });
  afterAll(() => api.close());

  /** Sends, and lets the daemon do something once it has the job. */
  async function sent(params: object, act: (jobId: string) => Promise<void>): Promise<any> {
    const before = daemon.submissions.length;
    const answer = client.rpc('message/send', params);
    await daemon.submitted(before + 1);
    await act(daemon.submissions[before]?.jobId ?? '');
    return (await answer).body.result;
  }
  const atOnce = { configuration: { blocking: false } };

  async function start(message: object = {}): Promise<any> {
    const answer = await client.rpc('message/send', { message: message03(message), ...atOnce });
    if (!answer.body.result) throw new Error(answer.text);
    await begun(daemon, answer.body.result.id);
    return answer.body.result;
  }

  it('[P3] [B116] waits for the task and answers its reply as the artifact `response`', async () => {
    const message = message03({ metadata: { a: 1 } });
    const task = await sent({ message }, (jobId) => daemon.complete(jobId, 'Hi there'));
    expect(task).toEqual({
      kind: 'task',
      id: expect.any(String),
      contextId: expect.any(String),
      status: { state: 'completed', timestamp: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) },
      artifacts: [
        { artifactId: expect.any(String), name: 'response', parts: [{ kind: 'text', text: 'Hi there' }] },
      ],
      history: [{ ...message, taskId: task.id, contextId: task.contextId }],
    });
  });

  it('[P3] answers at once when it is not to block', async () => {
    const task = await start();
    expect(task).toMatchObject({ kind: 'task', status: { state: expect.stringMatching(OPEN) } });
    await daemon.complete(task.id);
  });

  it('[P3] answers the task as it stands when its own wait budget is over', async () => {
    const environment = { A2A_V03_WAIT_BUDGET_MS: '1', A2A_WAIT_BUDGET_MS: '3600000' };
    const { api: other } = await startService({ environment });
    try {
      const answer = await new V03Client(other).rpc('message/send', { message: message03() });
      expect(answer.status).toBe(200);
      expect(answer.body.result).toMatchObject({
        kind: 'task',
        status: { state: expect.stringMatching(OPEN) },
      });
    } finally {
      await other.close();
    }
  });

  it('[P2] [H4] the account is that of the key, and the same as with a token', async () => {
    const task = await start();
    await begun(daemon, task.id);
    expect(daemon.jobs.get(task.id)?.params).toMatchObject({
      caller: { accountId: 'acct-bob' },
      interactive: true,
    });
    const authorization = `Bearer ${await api.token('acct-bob')}`;
    const byToken = await client.rpc('tasks/get', { id: task.id }, { authorization });
    expect(byToken.body.result.id).toBe(task.id);
    const bystander = `Bearer ${await api.token('acct-carol')}`;
    const absent = await client.rpc('tasks/get', { id: 'absent' }, { authorization: bystander });
    for (const method of ['tasks/get', 'tasks/cancel']) {
      const foreign = await client.rpc(method, { id: task.id }, { authorization: bystander });
      expect({ ...foreign.body, id: 0 }).toEqual({ ...absent.body, id: 0 });
    }
    await daemon.complete(task.id);
  });

  it('[B117] [H4] a task looks like 0.3 here and like 1.0 there, whichever wire made it', async () => {
    const old = await start();
    await daemon.complete(old.id, 'Reply');
    const there = await api.getTask(old.id);
    expect(JSON.stringify(there)).not.toMatch(/"kind"|"final"|"completed"|"user"/);
    expect(there).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ name: 'Reply' }],
    });

    const modern = await api.send(newMessage({ parts: [{ text: 'hi', mediaType: 'text/plain' }] }));
    const here = (await client.rpc('tasks/get', { id: modern.id })).body.result;
    expect(JSON.stringify(here)).not.toMatch(/TASK_STATE|ROLE_|mediaType/);
    expect(here.history).toEqual([
      expect.objectContaining({ kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'hi' }] }),
    ]);
    await daemon.complete(modern.id);
  });

  it('[P5] tasks/get shows as much history as is asked for', async () => {
    const task = await start();
    await daemon.complete(task.id, 'Done');
    const get = async (params: object) => (await client.rpc('tasks/get', { id: task.id, ...params })).body;
    expect((await get({})).result.history).toHaveLength(1);
    expect((await get({ historyLength: null })).result.history).toHaveLength(1);
    expect((await get({ historyLength: 0 })).result).not.toHaveProperty('history');
    for (const historyLength of [-1, 1.5, '1', true]) {
      expect((await get({ historyLength })).error).toMatchObject({
        code: -32602,
        data: [{ fieldViolations: [{ field: 'historyLength' }] }],
      });
    }
  });

  it('[P5] tasks/cancel answers the canceled task, and -32002 when it is over', async () => {
    const task = await start();
    const canceled = await client.rpc('tasks/cancel', { id: task.id });
    expect(canceled.body.result).toMatchObject({ kind: 'task', id: task.id, status: { state: 'canceled' } });
    expect((await client.rpc('tasks/cancel', { id: task.id })).body.error).toMatchObject({
      code: -32002,
      data: [{ reason: 'TASK_NOT_CANCELABLE' }],
    });
  });

  it('[P7] [S5] a repeated message is one task, by its id or by its key', async () => {
    const message = message03();
    const [first, again] = [await start(message), await start(message)];
    expect(again.id).toBe(first.id);
    const headers = { 'Idempotency-Key': 'key-1' };
    const keyed = await client.rpc('message/send', { message: message03(), ...atOnce }, { headers });
    const changed = await client.rpc('message/send', { message: message03(), ...atOnce }, { headers });
    expect(keyed.body.result.kind).toBe('task');
    expect(changed.body.error).toMatchObject({
      code: -32602,
      data: [{ fieldViolations: [{ field: 'Idempotency-Key' }] }],
    });
    const sameAtV1 = newMessage({ messageId: message['messageId'], parts: [{ text: 'other' }] });
    const conflict = await api.rpc(ADDRESSES.helper, 'SendMessage', { message: sameAtV1 });
    expect(conflict.body.error.code).toBe(-32602);
  });

  it('[P7] [S6] a contextId leads to the same conversation, and a foreign one to an error', async () => {
    const first = await start();
    const second = await start({ contextId: first.contextId });
    expect(second.contextId).toBe(first.contextId);
    expect(second.id).not.toBe(first.id);
    const foreign = await client.rpc('message/send', { message: message03({ contextId: 'foreign' }) });
    expect(foreign.body.error.code).toBe(-32602);
  });

  it('[B104] references and extensions are hints, and ignored', async () => {
    const hints = { referenceTaskIds: ['foreign'], extensions: ['urn:x'] };
    const task = await start(hints);
    await begun(daemon, task.id);
    expect(JSON.stringify(daemon.jobs.get(task.id)?.params)).not.toMatch(/foreign|urn:x/);
    for (const wrong of [{ referenceTaskIds: 'x' }, { extensions: [1] }]) {
      const answer = await client.rpc('message/send', { message: message03(wrong) });
      expect(answer.body.error.code).toBe(-32602);
    }
  });

  it('[P7] [S9] messages and calls count for the account, over both wires', async () => {
    const { api: few } = await startService({ environment: { A2A_MESSAGES_PER_HOUR: '2' } });
    try {
      await few.send();
      const other = new V03Client(few);
      const statuses: number[] = [];
      for (const method of ['message/send', 'message/send', 'message/stream']) {
        statuses.push((await other.rpc(method, { message: message03(), ...atOnce })).status);
      }
      expect(statuses).toEqual([200, 429, 429]);
    } finally {
      await few.close();
    }
  });

  it('[P2] [H2] an unknown key is refused, and 1.0 takes no key at all', async () => {
    const authorization = `Bearer ${API_KEY}`;
    const modern = await api.rpc(
      ADDRESSES.helper,
      'ListTasks',
      {},
      { headers: { Authorization: authorization } },
    );
    expect(modern.status).toBe(401);
    const wrong = await client.rpc('tasks/get', { id: 'x' }, { authorization: `${authorization}x` });
    expect(wrong.status).toBe(401);
    expect(wrong.headers['www-authenticate']).toBe('Bearer realm="hello-api", error="invalid_token"');
    expect(wrong.text).not.toContain(API_KEY);
  });

  it('[P4] a client that goes away while it waits stops nothing', async () => {
    const controller = new AbortController();
    const before = daemon.submissions.length;
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'message/send',
      params: { message: message03() },
    });
    const gone = api.request('POST', PUBLISHED.helper, {
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${API_KEY}` },
      body,
      signal: controller.signal,
    });
    await daemon.submitted(before + 1);
    controller.abort();
    await expect(gone).rejects.toThrow();
    const id = daemon.submissions[before]?.jobId ?? '';
    await daemon.complete(id, 'anyway');
    await until('the task is completed', async () => {
      const { result } = (await client.rpc('tasks/get', { id })).body;
      return result.status.state === 'completed' && result.artifacts[0].parts[0].text === 'anyway';
    });
  });
});
