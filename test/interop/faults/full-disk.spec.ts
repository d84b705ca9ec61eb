import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { rpcCall, taskUntil, textMessage } from '../../support/rpc-call.js';
import { until } from '../../support/test-api.js';
import { damageOf } from './database-file.js';
import { FaultSite, closeSites, fillDisk, makeRoom } from './fault-site.js';
import { inState, replyOf } from './task-looks.js';

jest.setTimeout(120_000);

let site: FaultSite;
afterEach(closeSites);

const send = (message: object) => rpcCall(site.target(), 'SendMessage', message);

describe('a full disk', () => {
  it('[S8] [R4] [K4] of the API: sends are 503 and keep nothing, reads go on, results are repeated until they are stored', async () => {
    ({ site } = await FaultSite.start());
    const { api } = site;
    for (const text of ['held', 'unwanted']) site.shut(text);
    const held = await site.send('held');
    const unwanted = await site.send('unwanted');
    for (const { id } of [held, unwanted]) await taskUntil(site.target(), id, inState('WORKING'));
    await fillDisk(api);

    const messages = ['a', 'b', 'c'].map((text) => textMessage(text));
    for (const { status, headers, body } of await Promise.all(messages.map(send))) {
      expect({ status, members: Object.keys(body) }).toEqual({ status: 503, members: ['error'] });
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
      expect(JSON.stringify(body)).not.toMatch(/sql|disk|\//i);
    }
    expect(await site.listed()).toHaveLength(2);
    const asked = await rpcCall(site.target(), 'GetTask', { id: held.id });
    expect(asked.body.result?.status.state).toBe('TASK_STATE_WORKING');
    expect((await rpcCall(site.target(), 'CancelTask', { id: unwanted.id })).status).toBe(503);
    const refusals = api.output.length;
    site.open('held');
    await api.printed(/The database cannot be written/, refusals);
    expect((await site.listed()).every(inState('WORKING'))).toBe(true);

    await makeRoom(api);
    await until(
      'the results are stored',
      async () => !(await site.listed()).some(inState('WORKING')),
      60_000,
    );
    const tasks = new Map((await site.listed()).map((task) => [task.id, task]));
    expect(replyOf(tasks.get(held.id))).toBe('did held');
    expect(tasks.get(unwanted.id)?.status.state).toBe('TASK_STATE_CANCELED');
    const again = await Promise.all(messages.map(send));
    for (const { body } of again) await site.completed(body.result.task);
    expect(site.ran()).toHaveLength(2 + messages.length);
    expect(await site.listed()).toHaveLength(2 + messages.length);
    expect(await api.stop()).toBe(0);
    expect(await damageOf(site.apiFile)).toEqual([]);
  });

  it('[S8] [R4] of the daemon: jobs are refused and kept nowhere, a result is held until it can be stored', async () => {
    let daemon;
    ({ site, daemon } = await FaultSite.start());
    site.shut('held');
    const held = await site.send('held');
    await taskUntil(site.target(), held.id, inState('WORKING'));
    await fillDisk(daemon);

    const message = textMessage('refused');
    const refused = await send(message);
    expect(refused.status).toBe(503);
    expect(Object.keys(refused.body)).toEqual(['error']);
    expect(await site.listed()).toHaveLength(1);
    site.open('held');
    await daemon.printed(/A result cannot be stored yet/);
    const asked = await rpcCall(site.target(), 'GetTask', { id: held.id });
    expect(asked.body.result.status.state).toBe('TASK_STATE_WORKING');

    await makeRoom(daemon);
    expect(replyOf(await site.completed(held))).toBe('did held');
    const again = (await send(message)).body.result.task;
    await site.completed(again);
    expect(site.ran().map(({ jobId }) => jobId)).toEqual([held.id, again.id]);
    expect(await daemon.stop()).toBe(0);
  });
});
