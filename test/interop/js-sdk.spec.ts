import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Role, TaskState, type SendMessageRequest, type Task } from '@a2a-js/sdk';
import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  createAuthenticatingFetchWithRetry,
  type Client,
} from '@a2a-js/sdk/client';
import { randomUUID } from 'node:crypto';
import { Deployment } from '../support/processes.js';

const CARD_PATH = '.well-known/agent-card.json';

jest.setTimeout(120_000);

let deployment: Deployment;
beforeAll(async () => {
  deployment = await Deployment.create();
  await deployment.start();
});
afterAll(() => deployment.close());

async function clientFor(cardUrl: string): Promise<Client> {
  const token = await deployment.token();
  const fetchImpl = createAuthenticatingFetchWithRetry(fetch, {
    headers: async () => ({ authorization: `Bearer ${token}` }),
    shouldRetryWithHeaders: async () => undefined,
  });
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  });
  return new ClientFactory(options).createFromUrl(cardUrl, '');
}

function request(text: string, returnImmediately: boolean): SendMessageRequest {
  return {
    tenant: '',
    message: {
      messageId: randomUUID(),
      role: Role.ROLE_USER,
      contextId: '',
      taskId: '',
      parts: [{ content: { $case: 'text', value: text }, filename: '', mediaType: '', metadata: undefined }],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
    configuration: {
      acceptedOutputModes: ['text/plain'],
      taskPushNotificationConfig: undefined,
      returnImmediately,
    },
    metadata: undefined,
  };
}

const replyOf = (task: Task) => task.artifacts[0]?.parts[0]?.content;

describe('the official JavaScript client', () => {
  it('[C1] resolves the card and picks the JSON-RPC 1.0 interface from it', async () => {
    const client = await clientFor(`${deployment.endpoint('echo')}/${CARD_PATH}`);
    expect(client.protocolVersion).toBe('1.0');
    const card = await client.getAgentCard();
    expect(card.supportedInterfaces.map(({ url }) => url)).toEqual([deployment.endpoint('echo')]);
    expect(card.capabilities).toMatchObject({ streaming: false, pushNotifications: false });
  });

  it('[S3] [S10] sends a text, waits and gets the reply as the artifact', async () => {
    const client = await clientFor(`${deployment.endpoint('echo')}/${CARD_PATH}`);
    const task = (await client.sendMessage(request('Grüß dich 👋', false))) as Task;
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(task.artifacts.map(({ artifactId, name }) => ({ artifactId, name }))).toEqual([
      { artifactId: `${task.id}-reply`, name: 'Reply' },
    ]);
    expect(replyOf(task)).toEqual({ $case: 'text', value: 'Grüß dich 👋' });
  });

  it('[S2] [G1] sends, gets the task at once and finds it completed by asking', async () => {
    const client = await clientFor(`${deployment.endpoint('echo')}/${CARD_PATH}`);
    let task = (await client.sendMessage(request('Later', true))) as Task;
    const until = Date.now() + 20_000;
    while (task.status?.state !== TaskState.TASK_STATE_COMPLETED && Date.now() < until) {
      await new Promise((next) => setTimeout(next, 50));
      task = await client.getTask({ tenant: '', id: task.id });
    }
    expect(replyOf(task)).toEqual({ $case: 'text', value: 'Later' });
  });

  it('[C5] follows a link-only card to its interface with the key', async () => {
    const key = encodeURIComponent(deployment.linkKey);
    const client = await clientFor(`${deployment.endpoint('link')}/${CARD_PATH}?k=${key}`);
    const task = (await client.sendMessage(request('Through the link', false))) as Task;
    expect(replyOf(task)).toEqual({ $case: 'text', value: 'Through the link' });
  });

  it('[H4] gets TaskNotFoundError for an id that was never issued', async () => {
    const client = await clientFor(`${deployment.endpoint('echo')}/${CARD_PATH}`);
    await expect(client.getTask({ tenant: '', id: randomUUID() })).rejects.toMatchObject({
      name: 'TaskNotFoundError',
    });
  });

  it('[G5] gets TaskNotCancelableError for a finished task', async () => {
    const client = await clientFor(`${deployment.endpoint('echo')}/${CARD_PATH}`);
    const task = (await client.sendMessage(request('Done', false))) as Task;
    await expect(client.cancelTask({ tenant: '', id: task.id, metadata: undefined })).rejects.toMatchObject({
      name: 'TaskNotCancelableError',
    });
  });
});
