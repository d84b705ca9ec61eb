import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Message, MessageSendParams, Task } from 'a2a-sdk-v03';
import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  type Client,
} from 'a2a-sdk-v03/client';
import { randomUUID } from 'node:crypto';
import { Deployment } from '../support/processes.js';
import { told } from '../support/v03-client.js';
import { CARD_PATH, authenticatingFetch } from './js-client.js';
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

/** The client as its users make it: from the address of a card, with an API key. */
async function clientFor(handle: string): Promise<Client> {
  const fetchImpl = authenticatingFetch(deployment.apiKey);
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl: fetch }),
  });
  return new ClientFactory(options).createFromUrl(`${deployment.published(handle)}/${CARD_PATH}`, '');
}

function params(
  text: string,
  message: Partial<Message> = {},
  configuration: MessageSendParams['configuration'] = {},
): MessageSendParams {
  const parts: Message['parts'] = [{ kind: 'text', text }];
  return {
    message: { kind: 'message', messageId: randomUUID(), role: 'user', parts, ...message },
    configuration,
  };
}

async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const events: T[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

describe('the official JavaScript client 0.3', () => {
  it('[P1] reads the card and streams because the card says so', async () => {
    const card = await (await clientFor('echo')).getAgentCard();
    expect(card).toMatchObject({
      protocolVersion: '0.3.0',
      url: deployment.published('echo'),
      preferredTransport: 'JSONRPC',
      capabilities: { streaming: true },
    });
  });

  it('[P2] [P3] sends with an API key, and gets the reply as the artifact', async () => {
    const task = (await (await clientFor('echo')).sendMessage(params('Grüß dich 👋'))) as Task;
    expect(task).toMatchObject({ kind: 'task', status: { state: 'completed' } });
    expect(task.artifacts).toEqual([
      {
        artifactId: `${task.id}-reply`,
        name: 'response',
        parts: [{ kind: 'text', text: 'Grüß dich 👋' }],
      },
    ]);
  });

  it('[P4] streams a reply from the task to its end', async () => {
    const events = await all((await clientFor('echo')).sendMessageStream(params('Hello')));
    expect(events[0]).toMatchObject({ kind: 'task', history: [{ parts: [{ text: 'Hello' }] }] });
    expect(events.slice(1).map(told).join(' ')).toMatch(/=Hello/);
    expect(told(events.at(-1))).toBe('completed final');
  });

  it('[P4] leaves a stream in the middle and takes it up again by resubscribing', async () => {
    const client = await clientFor('other');
    let id = '';
    for await (const event of client.sendMessageStream(params('Tell'))) {
      if (event.kind === 'task') id = event.id;
      if (event.kind === 'artifact-update') break;
    }
    const rest = client.resubscribeTask({ id });
    const first = await rest.next();
    expect(first.value).toMatchObject({ kind: 'task', id, status: { state: 'working' } });
    halfway.goOn();
    const events = (await all(rest)).map(told);
    expect(events.filter((event) => /^[=+]/.test(event)).join('')).toMatch(/^=One \+two/);
    expect(events.at(-1)).toBe('completed final');
  });

  it('[P5] gets a task with as much history as asked for, and cancels one that waits', async () => {
    const client = await clientFor('desk');
    const asked = (await client.sendMessage(params('a letter'))) as Task;
    expect((await client.getTask({ id: asked.id })).history).toHaveLength(2);
    expect((await client.getTask({ id: asked.id, historyLength: 1 })).history).toHaveLength(1);
    expect((await client.cancelTask({ id: asked.id })).status.state).toBe('canceled');
    expect((await client.getTask({ id: asked.id })).status.state).toBe('canceled');
  });

  it('[P6] [B97] answers two approvals in a row, by sending and by streaming', async () => {
    const client = await clientFor('desk');
    const { id, contextId, status } = (await client.sendMessage(params('a letter'))) as Task;
    expect(status).toMatchObject({
      state: 'input-required',
      message: { role: 'agent', parts: [{ kind: 'text', text: 'Send this? Dear reader, a letter' }] },
    });
    const second = (await client.sendMessage(params('yes', { taskId: id, contextId }))) as Task;
    expect(second).toMatchObject({ id, status: { state: 'input-required' } });

    const events = await all(client.sendMessageStream(params('yes', { taskId: id, contextId })));
    expect(events[0]).toMatchObject({ kind: 'task', id });
    expect(told(events.at(-1))).toBe('completed final');
    const task = await client.getTask({ id });
    expect(task.artifacts?.[0]?.parts).toEqual([{ kind: 'text', text: 'Sent: Dear reader, a letter' }]);
    expect(task.history?.map(({ role }) => role)).toEqual(['user', 'agent', 'user', 'agent', 'user']);
  });

  it('[P6] a stream ends when the task asks', async () => {
    const events = await all((await clientFor('desk')).sendMessageStream(params('a letter')));
    expect(told(events.at(-1))).toBe('input-required final');
  });

  it('[P7] knows the errors by their names, also those of streams', async () => {
    const client = await clientFor('echo');
    const done = (await client.sendMessage(params('Done'))) as Task;
    await expect(client.getTask({ id: 'absent' })).rejects.toMatchObject({ name: 'TaskNotFoundError' });
    await expect(client.cancelTask({ id: done.id })).rejects.toMatchObject({
      name: 'TaskNotCancelableError',
    });
    await expect(client.sendMessage(params('More', { taskId: done.id }))).rejects.toMatchObject({
      name: 'UnsupportedOperationError',
    });
    await expect(all(client.resubscribeTask({ id: 'absent' }))).rejects.toThrow('Code: -32001');
    const more = client.sendMessageStream(params('More', { taskId: done.id }));
    await expect(all(more)).rejects.toThrow('Code: -32004');
  });
});
