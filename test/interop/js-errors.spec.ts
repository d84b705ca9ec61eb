import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type SendMessageRequest, type Task } from '@a2a-js/sdk';
import { type Transport } from '@a2a-js/sdk/client';
import { randomUUID } from 'node:crypto';
import { Deployment } from '../support/processes.js';
import {
  CARD_PATH,
  EVERYTHING,
  VERSION_1_0,
  authenticatingFetch,
  clientFromCard,
  sendRequest,
  transportTo,
} from './js-client.js';
import { NEVER_ENDING } from './never-ending.js';

jest.setTimeout(120_000);

/** The client's class for each code, and the reason that the specification gives the error. */
const CLASSES: Record<number, [name: string, reason: string]> = {
  [-32001]: ['TaskNotFoundError', 'TASK_NOT_FOUND'],
  [-32002]: ['TaskNotCancelableError', 'TASK_NOT_CANCELABLE'],
  [-32003]: ['PushNotificationNotSupportedError', 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
  [-32004]: ['UnsupportedOperationError', 'UNSUPPORTED_OPERATION'],
  [-32005]: ['ContentTypeNotSupportedError', 'CONTENT_TYPE_NOT_SUPPORTED'],
  [-32009]: ['VersionNotSupportedError', 'VERSION_NOT_SUPPORTED'],
};
const errorInfo = (reason: string) =>
  expect.arrayContaining([expect.objectContaining({ reason, domain: 'a2a-protocol.org' })]);

async function rejection(call: Promise<unknown>): Promise<Error & Record<string, unknown>> {
  const answer = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('value' in answer) throw new Error(`it was answered: ${JSON.stringify(answer.value)}`);
  return answer.error as Error & Record<string, unknown>;
}

/** The body of an HTTP failure, which the client hands on as the end of its message. */
const bodyIn = (error: Error): Record<string, string> =>
  JSON.parse(error.message.slice(error.message.indexOf('Response: ') + 'Response: '.length));

describe('the errors that the official JavaScript client makes of the answers', () => {
  let deployment: Deployment;
  let transport: Transport;
  let finished: Task;
  beforeAll(async () => {
    deployment = await Deployment.create();
    await deployment.start();
    const fetchImpl = authenticatingFetch(await deployment.token());
    transport = await transportTo(deployment.endpoint('echo'), fetchImpl);
    finished = (await transport.sendMessage(sendRequest('Done', false), VERSION_1_0)) as Task;
  });
  afterAll(() => deployment.close());

  const send = (request: SendMessageRequest) => transport.sendMessage(request, VERSION_1_0);
  const push = () => ({
    tenant: '',
    id: '',
    taskId: finished.id,
    url: 'https://example.org/hook',
    token: '',
    authentication: undefined,
  });

  const cases: [string, number, () => Promise<unknown>][] = [
    [
      '[H4] [W4] an unknown task',
      -32001,
      () => transport.getTask({ tenant: '', id: randomUUID() }, VERSION_1_0),
    ],
    [
      '[S7] [B82] a message to an unknown task',
      -32001,
      () => send(sendRequest('On', true, { taskId: randomUUID() })),
    ],
    [
      '[G5] canceling what is finished',
      -32002,
      () => transport.cancelTask({ tenant: '', id: finished.id, metadata: undefined }, VERSION_1_0),
    ],
    [
      '[G6] a push configuration',
      -32003,
      () => transport.createTaskPushNotificationConfig(push(), VERSION_1_0),
    ],
    [
      '[S7] [B125] a send with a push configuration',
      -32003,
      () => {
        const request = sendRequest('Push', true);
        if (request.configuration) request.configuration.taskPushNotificationConfig = push();
        return send(request);
      },
    ],
    [
      '[S7] [B82] a message to a finished task',
      -32004,
      () => send(sendRequest('On', true, { taskId: finished.id })),
    ],
    [
      '[G6] streaming',
      -32004,
      () => transport.sendMessageStream(sendRequest('Stream', true), VERSION_1_0).next(),
    ],
    [
      '[G6] resubscribing',
      -32004,
      () => transport.resubscribeTask({ tenant: '', id: finished.id }, VERSION_1_0).next(),
    ],
    ['[G6] an extended card', -32004, () => transport.getExtendedAgentCard({ tenant: '' }, VERSION_1_0)],
    [
      '[S4] [W4] a file',
      -32005,
      () => {
        const content = { $case: 'raw' as const, value: Buffer.from('file') };
        const part = {
          content,
          filename: 'a.bin',
          mediaType: 'application/octet-stream',
          metadata: undefined,
        };
        return send(sendRequest('', true, { parts: [part] }));
      },
    ],
    [
      '[W2] another version',
      -32009,
      () =>
        transport.getTask({ tenant: '', id: finished.id }, { serviceParameters: { 'A2A-Version': '9.9' } }),
    ],
    ['[W2] no version, which means 0.3', -32009, () => transport.getTask({ tenant: '', id: finished.id })],
  ];
  it.each(cases)('%s: %i', async (_title, envelopeCode, call) => {
    const [name, reason] = CLASSES[envelopeCode] ?? ['', ''];
    expect(await rejection(call())).toMatchObject({ name, envelopeCode, data: errorInfo(reason) });
  });

  const invalid: [string, string, () => Promise<unknown>][] = [
    [
      '[G3] [B102] a page size out of range',
      'pageSize',
      () => transport.listTasks({ ...EVERYTHING, pageSize: 101 }, VERSION_1_0),
    ],
    [
      '[G3] a page token of nobody',
      'pageToken',
      () => transport.listTasks({ ...EVERYTHING, pageToken: 'invented' }, VERSION_1_0),
    ],
    [
      '[G2] a negative history length',
      'historyLength',
      () => transport.getTask({ tenant: '', id: finished.id, historyLength: -1 }, VERSION_1_0),
    ],
    [
      '[S6] a context of nobody',
      'message.contextId',
      () => send(sendRequest('Where?', true, { contextId: randomUUID() })),
    ],
    ['[S4] a message without parts', 'message.parts', () => send(sendRequest('', true, { parts: [] }))],
  ];
  it.each(invalid)('[W3] %s: -32602 that names %s', async (_title, field, call) => {
    const error = await rejection(call());
    expect(error).toMatchObject({ envelopeCode: -32602, name: 'RequestMalformedError' });
    const violations = (error['data'] as [{ fieldViolations: { field: string }[] }])[0].fieldViolations;
    expect(violations.map((violation) => violation.field)).toEqual([field]);
  });

  it('[C4] [W5] no such assistant: the card cannot be resolved, a call is "Status: 404"', async () => {
    const fetchImpl = authenticatingFetch(await deployment.token('account-stranger'));
    for (const handle of ['absent', 'private']) {
      const cardUrl = `${deployment.endpoint(handle)}/${CARD_PATH}`;
      expect((await rejection(clientFromCard(cardUrl, fetchImpl))).message).toMatch(/: 404$/);
      const lost = await transportTo(deployment.endpoint(handle), fetchImpl, deployment.endpoint('echo'));
      const error = await rejection(lost.listTasks(EVERYTHING, VERSION_1_0));
      expect(error.message).toMatch(/Status: 404 Not Found/);
      expect(Object.keys(bodyIn(error))).toEqual(['error']);
    }
  });

  it('[W5] [W7] a body that is too large: "Status: 413" with the limit', async () => {
    const error = await rejection(send(sendRequest('x'.repeat(70_000), true)));
    expect(error.message).toMatch(/Status: 413 Payload Too Large/);
    expect(bodyIn(error)['error']).toContain('65536 bytes');
  });

  it('[H1] [W5] no account: "Status: 401", and the token is not repeated', async () => {
    const stranger = await transportTo(deployment.endpoint('echo'), authenticatingFetch('not-a-token'));
    const error = await rejection(stranger.listTasks(EVERYTHING, VERSION_1_0));
    expect(error.message).toMatch(/Status: 401 Unauthorized/);
    expect(Object.keys(bodyIn(error))).toEqual(['error']);
    expect(error.message).not.toContain('not-a-token');
  });
});

describe('what the official JavaScript client makes of a service that cannot answer now', () => {
  let deployment: Deployment;
  let transport: Transport;
  beforeAll(async () => {
    deployment = await Deployment.create({
      settings: { A2A_WAIT_BUDGET_MS: '500', A2A_MESSAGES_PER_HOUR: '2' },
      runtimes: { echo: NEVER_ENDING },
    });
    await deployment.startApi();
    transport = await transportTo(deployment.endpoint('echo'), authenticatingFetch(await deployment.token()));
  });
  afterAll(() => deployment.close());
  const send = (request: SendMessageRequest) => transport.sendMessage(request, VERSION_1_0);

  it('[S8] [S3] [S9] [W5] [B71] offline 503, waiting in vain 504 with the task, too many 429', async () => {
    const message = sendRequest('For ever', false);
    const offline = await rejection(send(message));
    expect(offline.message).toMatch(/Status: 503 Service Unavailable/);
    expect(Object.keys(bodyIn(offline))).toEqual(['error']);

    await deployment.startDaemon();
    const late = await rejection(send(message));
    expect(late.message).toMatch(/Status: 504 Gateway Timeout/);
    const { taskId = '', contextId, error } = bodyIn(late);
    expect(error).toContain(taskId);
    const saved = await transport.getTask({ tenant: '', id: taskId }, VERSION_1_0);
    expect(saved).toMatchObject({ id: taskId, contextId });

    expect(bodyIn(await rejection(send(message)))).toEqual({ taskId, contextId, error });

    await send(sendRequest('Second', true));
    const refused = await rejection(send(sendRequest('Third', true)));
    expect(refused.message).toMatch(/Status: 429 Too Many Requests/);

    await deployment.daemon?.kill();
    const cancel = await rejection(
      transport.cancelTask({ tenant: '', id: taskId, metadata: undefined }, VERSION_1_0),
    );
    expect(cancel.message).toMatch(/Status: 503/);
  });
});
