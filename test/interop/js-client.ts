import { Role, TaskState, type SendMessageRequest, type Task } from '@a2a-js/sdk';
import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  createAuthenticatingFetchWithRetry,
  type Client,
  type Transport,
} from '@a2a-js/sdk/client';
import { randomUUID } from 'node:crypto';

export const CARD_PATH = '.well-known/agent-card.json';
/** What the client's own wrapper adds to every call; the bare transport leaves it to its user. */
export const VERSION_1_0 = { serviceParameters: { 'A2A-Version': '1.0' } };

/** Sends the token with every request, and once more with a fresh one after a 401. */
export function authenticatingFetch(token: string, freshToken?: () => Promise<string>): typeof fetch {
  return createAuthenticatingFetchWithRetry(fetch, {
    headers: async () => ({ authorization: `Bearer ${token}` }),
    shouldRetryWithHeaders: async (_request, response) =>
      response.status === 401 && freshToken ? { authorization: `Bearer ${await freshToken()}` } : undefined,
  });
}

/** The client as its users make it: from the address of a card. */
export async function clientFromCard(cardUrl: string, fetchImpl: typeof fetch): Promise<Client> {
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  });
  return new ClientFactory(options).createFromUrl(cardUrl, '');
}

/** The client's transport alone: it asks the service what the card would already tell the client not to ask. */
export async function transportTo(
  endpoint: string,
  fetchImpl: typeof fetch,
  cardOf: string = endpoint,
): Promise<Transport> {
  const card = await new DefaultAgentCardResolver({ fetchImpl }).resolve(`${cardOf}/${CARD_PATH}`, '');
  return new JsonRpcTransportFactory({ fetchImpl }).create(endpoint, card);
}

export function sendRequest(
  text: string,
  returnImmediately: boolean,
  message: Partial<SendMessageRequest['message'] & object> = {},
): SendMessageRequest {
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
      ...message,
    },
    configuration: {
      acceptedOutputModes: ['text/plain'],
      taskPushNotificationConfig: undefined,
      returnImmediately,
    },
    metadata: undefined,
  };
}

/** A list of everything; the client sends empty members for what is not set. */
export const EVERYTHING = {
  tenant: '',
  contextId: '',
  status: TaskState.TASK_STATE_UNSPECIFIED,
  pageToken: '',
  statusTimestampAfter: undefined,
};

export const replyOf = (task: Task) => task.artifacts[0]?.parts[0]?.content;

/** Asks until the task is in a state. @throws when that takes too long */
export async function taskIn(client: Client, id: string, state: TaskState): Promise<Task> {
  for (const until = Date.now() + 60_000; ;) {
    const task = await client.getTask({ tenant: '', id });
    if (task.status?.state === state) return task;
    if (Date.now() > until) throw new Error(`the task is in state ${task.status?.state}`);
    await new Promise((next) => setTimeout(next, 50));
  }
}
