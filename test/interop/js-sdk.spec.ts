import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { TaskState, type Task } from '@a2a-js/sdk';
import { randomUUID } from 'node:crypto';
import { Deployment } from '../support/processes.js';
import {
  CARD_PATH,
  EVERYTHING,
  authenticatingFetch,
  clientFromCard,
  replyOf,
  sendRequest,
  taskIn,
} from './js-client.js';
import { NEVER_ENDING } from './never-ending.js';

jest.setTimeout(120_000);

let deployment: Deployment;
beforeAll(async () => {
  deployment = await Deployment.create({ runtimes: { other: NEVER_ENDING } });
  await deployment.start();
});
afterAll(() => deployment.close());

async function clientFor(handle: string, options: { query?: string; account?: string } = {}) {
  const token = await deployment.token(options.account);
  const cardUrl = `${deployment.endpoint(handle)}/${CARD_PATH}${options.query ?? ''}`;
  return clientFromCard(cardUrl, authenticatingFetch(token));
}

describe('the official JavaScript client', () => {
  it('[C1] resolves the card and picks the JSON-RPC 1.0 interface from it', async () => {
    const client = await clientFor('echo');
    expect(client.protocolVersion).toBe('1.0');
    const card = await client.getAgentCard();
    expect(card.supportedInterfaces.map(({ url }) => url)).toEqual([deployment.endpoint('echo')]);
    expect(card.capabilities).toMatchObject({ streaming: false, pushNotifications: false });
  });

  it('[S3] [S10] sends a text, waits and gets the reply as the artifact', async () => {
    const client = await clientFor('echo');
    const task = (await client.sendMessage(sendRequest('Grüß dich 👋', false))) as Task;
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(task.artifacts.map(({ artifactId, name }) => ({ artifactId, name }))).toEqual([
      { artifactId: `${task.id}-reply`, name: 'Reply' },
    ]);
    expect(replyOf(task)).toEqual({ $case: 'text', value: 'Grüß dich 👋' });
  });

  it('[S2] [G1] sends, gets the task at once and finds it completed by asking', async () => {
    const client = await clientFor('echo');
    const sent = (await client.sendMessage(sendRequest('Later', true))) as Task;
    const task = await taskIn(client, sent.id, TaskState.TASK_STATE_COMPLETED);
    expect(replyOf(task)).toEqual({ $case: 'text', value: 'Later' });
  });

  it('[S5] gets the same task for the same message', async () => {
    const client = await clientFor('echo');
    const message = sendRequest('Once', false);
    const tasks = (await Promise.all([1, 2, 3].map(() => client.sendMessage(message)))) as Task[];
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(1);
  });

  it('[S6] [G2] goes on in a context and reads the history', async () => {
    const client = await clientFor('echo');
    const first = (await client.sendMessage(sendRequest('First', false))) as Task;
    const next = sendRequest('Second', false, { contextId: first.contextId });
    const second = (await client.sendMessage(next)) as Task;
    expect(second.contextId).toBe(first.contextId);
    expect(second.id).not.toBe(first.id);
    const none = await client.getTask({ tenant: '', id: second.id, historyLength: 0 });
    const one = await client.getTask({ tenant: '', id: second.id, historyLength: 1 });
    expect([none.history.length, one.history.length]).toEqual([0, 1]);
  });

  it('[C5] follows a link-only card to its interface with the key', async () => {
    const query = `?k=${encodeURIComponent(deployment.linkKey)}`;
    const client = await clientFor('link', { query, account: 'account-guest' });
    const task = (await client.sendMessage(sendRequest('Through the link', false))) as Task;
    expect(replyOf(task)).toEqual({ $case: 'text', value: 'Through the link' });
  });

  it('[H1] comes through with a fresh token after a 401', async () => {
    const fetchImpl = authenticatingFetch('expired', () => deployment.token());
    const client = await clientFromCard(`${deployment.endpoint('echo')}/${CARD_PATH}`, fetchImpl);
    const task = (await client.sendMessage(sendRequest('Again', false))) as Task;
    expect(replyOf(task)).toEqual({ $case: 'text', value: 'Again' });
  });
});

describe('the official JavaScript client, listing', () => {
  const account = 'account-lister';
  const sent: Task[] = [];
  beforeAll(async () => {
    const client = await clientFor('echo', { account });
    for (const text of ['one', 'two', 'three', 'four', 'five']) {
      const contextId = text === 'five' ? (sent[0]?.contextId ?? '') : '';
      sent.push((await client.sendMessage(sendRequest(text, false, { contextId }))) as Task);
    }
  });
  const idsOf = (tasks: Task[]) => tasks.map(({ id }) => id);

  it('[G3] [G4] walks all pages, newest first, to the empty token', async () => {
    const client = await clientFor('echo', { account });
    const pages: Task[][] = [];
    let pageToken = '';
    do {
      const page = await client.listTasks({ ...EVERYTHING, pageSize: 2, pageToken });
      expect(page).toMatchObject({ pageSize: 2, totalSize: 5 });
      pages.push(page.tasks);
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(idsOf(pages.flat())).toEqual(idsOf(sent).reverse());
    expect(pages.flat().every(({ artifacts, history }) => !artifacts.length && !history.length)).toBe(true);
  });

  it('[G3] filters by context, state and time, with artifacts and history when asked', async () => {
    const client = await clientFor('echo', { account });
    const [first, , third, , last] = sent as [Task, Task, Task, Task, Task];
    const inContext = await client.listTasks({ ...EVERYTHING, contextId: first.contextId });
    expect(idsOf(inContext.tasks)).toEqual([last.id, first.id]);

    const since = await client.listTasks({ ...EVERYTHING, statusTimestampAfter: third.status?.timestamp });
    expect(idsOf(since.tasks)).toContain(third.id);
    expect(idsOf(since.tasks)).not.toContain(first.id);

    const working = await client.listTasks({ ...EVERYTHING, status: TaskState.TASK_STATE_WORKING });
    expect(working).toMatchObject({ tasks: [], totalSize: 0, nextPageToken: '' });

    const filled = { ...EVERYTHING, pageSize: 1, historyLength: 1, includeArtifacts: true };
    const [task] = (await client.listTasks(filled)).tasks;
    expect(task && replyOf(task)).toEqual({ $case: 'text', value: 'five' });
    expect(task?.history).toHaveLength(1);
  });

  it('[H4] sees nothing of another account', async () => {
    const client = await clientFor('echo', { account: 'account-stranger' });
    expect(await client.listTasks(EVERYTHING)).toMatchObject({ tasks: [], totalSize: 0 });
  });
});

describe('the official JavaScript client, canceling', () => {
  it('[G5] cancels a running task, and reads the same state afterwards', async () => {
    const client = await clientFor('other');
    const sent = (await client.sendMessage(sendRequest('For ever', true))) as Task;
    await taskIn(client, sent.id, TaskState.TASK_STATE_WORKING);
    await client.cancelTask({ tenant: '', id: sent.id, metadata: undefined });
    const task = await taskIn(client, sent.id, TaskState.TASK_STATE_CANCELED);
    expect(task.artifacts).toEqual([]);
  });

  it('[G5] gets TaskNotCancelableError for a finished task', async () => {
    const client = await clientFor('echo');
    const task = (await client.sendMessage(sendRequest('Done', false))) as Task;
    await expect(client.cancelTask({ tenant: '', id: task.id, metadata: undefined })).rejects.toMatchObject({
      name: 'TaskNotCancelableError',
    });
  });

  it('[H4] gets TaskNotFoundError for an id that was never issued', async () => {
    const client = await clientFor('echo');
    const id = randomUUID();
    for (const call of [
      () => client.getTask({ tenant: '', id }),
      () => client.cancelTask({ tenant: '', id, metadata: {} }),
    ]) {
      await expect(call()).rejects.toMatchObject({ name: 'TaskNotFoundError' });
    }
  });
});
