import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Deployment } from '../support/processes.js';
import { preparePythonClient } from '../support/python-client.js';
import { textMessage } from '../support/rpc-call.js';
import { NEVER_ENDING } from './never-ending.js';
import { PythonSession, type PythonCall, type PythonOutcome } from './python-session.js';

jest.setTimeout(120_000);

const client = preparePythonClient();
const python = 'python' in client ? client.python : '';
// That a missing Python is a fault in continuous integration is the business of python-sdk.spec.ts.
const withPython = python === '' ? describe.skip : describe;

const send = (text: string, returnImmediately: boolean, message: object = {}) => {
  const params = textMessage(text, { returnImmediately }) as { message: object };
  return { ...params, message: { ...params.message, ...message } };
};

withPython('the official Python client', () => {
  let deployment: Deployment;
  let session: PythonSession;
  let token: string;
  beforeAll(async () => {
    deployment = await Deployment.create({ runtimes: { other: NEVER_ENDING } });
    await deployment.start();
    token = await deployment.token();
    session = new PythonSession(python, deployment.endpoint('echo'));
  });
  afterAll(async () => {
    await session.close();
    await deployment.close();
  });

  const call = (method: string, params: object, more: Partial<PythonCall> = {}) =>
    session.call({ method, params, token, ...more });

  async function answer(method: string, params: object, more: Partial<PythonCall> = {}): Promise<any> {
    const outcome = await call(method, params, more);
    if (outcome.error !== undefined) throw new Error(`${method}: ${outcome.error}: ${outcome.message ?? ''}`);
    return outcome.result;
  }
  async function taskIn(state: string, id: string, endpoint: string) {
    for (const until = Date.now() + 60_000; ;) {
      const task = await answer('GetTask', { id }, { endpoint });
      if (task.status.state === state) return task;
      if (Date.now() > until) throw new Error(`the task is ${task.status.state}`);
      await new Promise((next) => setTimeout(next, 50));
    }
  }

  it('[C1] [S3] resolves the card by itself, sends and gets the waited-for task', async () => {
    const { task } = await answer('SendMessage', send('Through the client', false), { through: 'client' });
    expect(task.artifacts[0].parts).toMatchObject([{ text: 'Through the client' }]);
    const found = await answer('GetTask', { id: task.id }, { through: 'client' });
    expect(found).toEqual(task);
  });

  it('[G3] [G4] [S6] walks pages and filters by context, state and time', async () => {
    const lister = { token: await deployment.token('account-lister') };
    const ids: string[] = [];
    let contextId = '';
    for (const text of ['one', 'two', 'three']) {
      const { task } = await answer('SendMessage', send(text, false, contextId ? { contextId } : {}), lister);
      contextId = task.contextId;
      ids.unshift(task.id);
    }
    await answer('SendMessage', send('elsewhere', false), lister);

    const seen: string[] = [];
    let pageToken = '';
    do {
      const params = { contextId, pageSize: 2, pageToken, status: 'TASK_STATE_COMPLETED' };
      const page = await answer('ListTasks', params, lister);
      expect(page).toMatchObject({ pageSize: 2, totalSize: 3 });
      seen.push(...page.tasks.map(({ id }: { id: string }) => id));
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    expect(seen).toEqual(ids);

    const filled = await answer(
      'ListTasks',
      { pageSize: 1, historyLength: 1, includeArtifacts: true },
      lister,
    );
    expect(filled.tasks[0]).toMatchObject({
      artifacts: [{ parts: [{ text: 'elsewhere' }] }],
      history: [{ role: 'ROLE_USER' }],
    });
    const { timestamp } = filled.tasks[0].status;
    const since = await answer('ListTasks', { statusTimestampAfter: timestamp }, lister);
    expect(since.tasks.map(({ id }: { id: string }) => id)).toEqual([filled.tasks[0].id]);
    expect((await answer('ListTasks', { status: 'TASK_STATE_FAILED' }, lister)).totalSize).toBe(0);
  });

  it('[S2] [G5] sends at once, cancels, and reads canceled afterwards', async () => {
    const endpoint = deployment.endpoint('other');
    const { task } = await answer('SendMessage', send('For ever', true), { endpoint });
    await taskIn('TASK_STATE_WORKING', task.id, endpoint);
    await answer('CancelTask', { id: task.id }, { endpoint });
    await taskIn('TASK_STATE_CANCELED', task.id, endpoint);
    expect((await call('CancelTask', { id: task.id }, { endpoint })).error).toBe('TaskNotCancelableError');
  });

  const push = { url: 'https://example.org/hook' };
  const file = { parts: [{ raw: 'ZmlsZQ==', mediaType: 'application/octet-stream' }] };
  const mistakes: [string, string, string, (taskId: string) => object, Partial<PythonCall>?][] = [
    ['[H4] an unknown task', 'TaskNotFoundError', 'GetTask', () => ({ id: randomUUID() })],
    [
      '[S7] [B82] going on with it',
      'TaskNotFoundError',
      'SendMessage',
      () => send('On', true, { taskId: randomUUID() }),
    ],
    ['[G5] canceling what is finished', 'TaskNotCancelableError', 'CancelTask', (id) => ({ id })],
    [
      '[G6] a push configuration',
      'PushNotificationNotSupportedError',
      'CreateTaskPushNotificationConfig',
      (taskId) => ({ taskId, ...push }),
    ],
    [
      '[S7] [B125] a send with one',
      'PushNotificationNotSupportedError',
      'SendMessage',
      () => ({ ...send('Push', true), configuration: { taskPushNotificationConfig: push } }),
    ],
    [
      '[S7] [B82] going on with what is finished',
      'UnsupportedOperationError',
      'SendMessage',
      (taskId) => send('On', true, { taskId }),
    ],
    ['[G6] streaming', 'UnsupportedOperationError', 'SendStreamingMessage', () => send('Stream', true)],
    ['[G6] subscribing', 'UnsupportedOperationError', 'SubscribeToTask', (id) => ({ id })],
    ['[G6] an extended card', 'UnsupportedOperationError', 'GetExtendedAgentCard', () => ({})],
    ['[S4] a file', 'ContentTypeNotSupportedError', 'SendMessage', () => send('', true, file)],
    ['[W2] another version', 'VersionNotSupportedError', 'GetTask', (id) => ({ id }), { version: '0.3' }],
    [
      '[W2] no version, which means 0.3',
      'VersionNotSupportedError',
      'GetTask',
      (id) => ({ id }),
      { version: '' },
    ],
    ['[G3] [B102] a page size out of range', 'InvalidParamsError', 'ListTasks', () => ({ pageSize: 101 })],
    ['[G2] a negative history length', 'InvalidParamsError', 'GetTask', (id) => ({ id, historyLength: -1 })],
    [
      '[S6] a context of nobody',
      'InvalidParamsError',
      'SendMessage',
      () => send('Where?', true, { contextId: randomUUID() }),
    ],
  ];

  it('[W4] raises the class of the specification for each error', async () => {
    const { task } = await answer('SendMessage', send('Done', false));
    const seen: string[] = [];
    for (const [title, , method, params, more] of mistakes) {
      seen.push(`${title}: ${(await call(method, params(task.id), more)).error}`);
    }
    expect(seen).toEqual(mistakes.map(([title, name]) => `${title}: ${name}`));
  });

  it('[W2] [W4] hands on what is supported with VersionNotSupportedError', async () => {
    const { data } = await call('GetTask', { id: randomUUID() }, { version: '9.9' });
    expect(data).toEqual({ supportedVersions: '1.0' });
  });

  it('[W5] [C4] [H1] [W7] raises A2AClientError with the status and {"error"} for HTTP failures', async () => {
    const outcomes: Record<number, PythonOutcome> = {
      401: await call('ListTasks', {}, { token: 'not-a-token' }),
      404: await call('ListTasks', {}, { endpoint: deployment.endpoint('absent') }),
      413: await call('SendMessage', send('x'.repeat(70_000), true)),
    };
    for (const [status, outcome] of Object.entries(outcomes)) {
      expect(outcome).toMatchObject({
        error: 'A2AClientError',
        message: expect.stringContaining(`HTTP Error ${status}`),
        http: { status: Number(status), body: { error: expect.any(String) } },
      });
    }
    expect(outcomes[401]?.http?.headers['www-authenticate']).toMatch(/^Bearer\b/);
    const hidden = {
      endpoint: deployment.endpoint('private'),
      token: await deployment.token('account-stranger'),
    };
    expect((await call('ListTasks', {}, hidden)).http?.body).toEqual(outcomes[404]?.http?.body);
    const unresolved = await call('ListTasks', {}, { ...hidden, through: 'client' });
    expect(unresolved).toMatchObject({ error: 'AgentCardResolutionError', http: { status: 404 } });
  });
});

withPython('the official Python client and a service that cannot answer now', () => {
  let deployment: Deployment;
  let session: PythonSession;
  beforeAll(async () => {
    deployment = await Deployment.create({
      settings: { A2A_WAIT_BUDGET_MS: '500', A2A_MESSAGES_PER_HOUR: '2' },
      runtimes: { echo: NEVER_ENDING },
    });
    await deployment.startApi();
    session = new PythonSession(python, deployment.endpoint('echo'));
  });
  afterAll(async () => {
    await session.close();
    await deployment.close();
  });

  it('[S8] [S3] [S9] [W5] [B71] sees 503, 504 with the task, and 429, each with its fields', async () => {
    const token = await deployment.token();
    const call = (method: string, params: object) => session.call({ method, params, token });
    const message = send('For ever', false);
    const retryAfter = expect.objectContaining({ 'retry-after': expect.stringMatching(/^\d+$/) });

    const offline = await call('SendMessage', message);
    expect(offline).toMatchObject({ error: 'A2AClientError', http: { status: 503, headers: retryAfter } });

    await deployment.startDaemon();
    const late = await call('SendMessage', message);
    expect(late).toMatchObject({ error: 'A2AClientError', http: { status: 504 } });
    const { taskId = '', contextId, error } = late.http?.body ?? {};
    expect(error).toContain(taskId);
    expect((await call('SendMessage', message)).http?.body).toEqual({ taskId, contextId, error });
    expect((await call('GetTask', { id: taskId })).result).toMatchObject({ id: taskId, contextId });

    expect((await call('SendMessage', send('Second', true))).error).toBeUndefined();
    const refused = await call('SendMessage', send('Third', true));
    expect(refused).toMatchObject({ error: 'A2AClientError', http: { status: 429, headers: retryAfter } });

    await deployment.daemon?.kill();
    expect(await call('CancelTask', { id: taskId })).toMatchObject({
      http: { status: 503, headers: retryAfter },
    });
  });
});
