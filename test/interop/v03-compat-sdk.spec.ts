import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { TaskState, type StreamResponse, type Task } from '@a2a-js/sdk';
import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  type Client,
} from '@a2a-js/sdk/client';
import { Deployment } from '../support/processes.js';
import { CARD_PATH, authenticatingFetch, replyOf, sendRequest } from './js-client.js';
import { ASKING_TWICE, HalfwayAssistant } from './v03-assistants.js';

jest.setTimeout(120_000);

let deployment: Deployment;
let halfway: HalfwayAssistant;
beforeAll(async () => {
  deployment = await Deployment.create({ runtimes: { desk: ASKING_TWICE, other: HalfwayAssistant.runtime } });
  halfway = new HalfwayAssistant(deployment.dir);
  await deployment.start();
});
afterAll(() => deployment.close());

/** The 1.x client with its compatibility switched on, as its guide says. */
async function clientFor(handle: string): Promise<Client> {
  const fetchImpl = authenticatingFetch(deployment.apiKey);
  const legacyCompat = { enabled: true };
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [new JsonRpcTransportFactory({ fetchImpl, legacyCompat })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl: fetch, legacyCompat }),
  });
  return new ClientFactory(options).createFromUrl(`${deployment.published(handle)}/${CARD_PATH}`, '');
}

async function all(stream: AsyncIterable<StreamResponse>): Promise<StreamResponse[]> {
  const events: StreamResponse[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

/** The state that a stream has told last. */
function lastState(events: StreamResponse[]): TaskState | undefined {
  const payload = events.at(-1)?.payload;
  return payload?.$case === 'statusUpdate' ? payload.value.status?.state : undefined;
}

function textsOf(events: StreamResponse[]): string {
  return events
    .flatMap(({ payload }) => (payload?.$case === 'artifactUpdate' ? [payload.value] : []))
    .map(({ artifact }) => artifact?.parts.map(({ content }) => content?.value).join(''))
    .join('');
}

describe('the official JavaScript client 1.x with 0.3 compatibility', () => {
  it('[P1] [P2] [P3] reads the card, sends with an API key and gets the reply', async () => {
    const client = await clientFor('echo');
    const card = await client.getAgentCard();
    expect(card.supportedInterfaces).toMatchObject([
      {
        url: deployment.published('echo'),
        protocolBinding: 'JSONRPC',
        protocolVersion: expect.stringMatching(/^0\.3/),
      },
    ]);
    const task = (await client.sendMessage(sendRequest('Grüß dich 👋', false))) as Task;
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(replyOf(task)).toEqual({ $case: 'text', value: 'Grüß dich 👋' });
  });

  it('[P4] streams, leaves, and resubscribes', async () => {
    const client = await clientFor('other');
    let id = '';
    for await (const { payload } of client.sendMessageStream(sendRequest('Tell', false))) {
      if (payload?.$case === 'task') id = payload.value.id;
      if (payload?.$case === 'artifactUpdate') break;
    }
    const rest = client.resubscribeTask({ tenant: '', id });
    expect((await rest.next()).value).toMatchObject({ payload: { $case: 'task', value: { id } } });
    halfway.goOn();
    const events = await all(rest);
    expect(textsOf(events)).toBe('One two');
    expect(lastState(events)).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  it('[P5] gets and cancels', async () => {
    const client = await clientFor('desk');
    const { id } = (await client.sendMessage(sendRequest('a letter', false))) as Task;
    expect((await client.getTask({ tenant: '', id, historyLength: 1 })).history).toHaveLength(1);
    const canceled = await client.cancelTask({ tenant: '', id, metadata: undefined });
    expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
  });

  it('[P6] answers two approvals in a row, by sending and by streaming', async () => {
    const client = await clientFor('desk');
    const asked = (await client.sendMessage(sendRequest('a letter', false))) as Task;
    expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const question = asked.status?.message?.parts[0]?.content;
    expect(question).toEqual({ $case: 'text', value: 'Send this? Dear reader, a letter' });
    const answer = () => sendRequest('yes', false, { taskId: asked.id, contextId: asked.contextId });
    const again = (await client.sendMessage(answer())) as Task;
    expect([again.id, again.status?.state]).toEqual([asked.id, TaskState.TASK_STATE_INPUT_REQUIRED]);
    const events = await all(client.sendMessageStream(answer()));
    expect(lastState(events)).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(textsOf(events)).toBe('Sent: Dear reader, a letter');
  });

  it('[P7] knows an error by its name, and one of a stream by its code', async () => {
    const client = await clientFor('echo');
    await expect(client.getTask({ tenant: '', id: 'absent' })).rejects.toMatchObject({
      name: 'TaskNotFoundError',
    });
    const stream = client.resubscribeTask({ tenant: '', id: 'absent' });
    await expect(all(stream)).rejects.toThrow('Code: -32001');
  });
});
