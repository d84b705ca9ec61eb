import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { join } from 'node:path';
import { rpcCall, taskUntil, textMessage } from '../../support/rpc-call.js';
import { until } from '../../support/test-api.js';
import { damageOf, query } from './database-file.js';
import { FaultSite, closeSites } from './fault-site.js';
import { explanationOf, inState, replyOf, type SeenTask } from './task-looks.js';

jest.setTimeout(120_000);

let site: FaultSite;
afterEach(closeSites);

describe('kill -9 of the API', () => {
  it('[K4] [R5] between commit and submission: the task fails with an explanation, nothing runs, nothing is replayed', async () => {
    ({ site } = await FaultSite.start());
    site.line.stall('to-client');
    const message = textMessage('lost');
    const answer = rpcCall(site.target(), 'SendMessage', message).catch(() => 'no answer');
    await until('the task is stored', async () => (await site.listed()).length === 1);
    const [stored] = (await site.listed()) as [SeenTask];
    expect(stored.status.state).toBe('TASK_STATE_SUBMITTED');
    await site.killApi();
    expect(await answer).toBe('no answer');

    await site.startApi();
    const failed = await taskUntil(site.target(), stored.id, inState('FAILED'));
    expect(explanationOf(failed)).toMatch(/does not know this job/);
    const repeated = await rpcCall(site.target(), 'SendMessage', message);
    expect(repeated.body.result.task).toMatchObject({ id: stored.id, status: failed.status });
    expect(site.ran()).toEqual([]);
    expect(await site.listed()).toHaveLength(1);
  });

  it('[K4] [R4] [S8] between submission and acknowledgement: the job runs once and its task ends with the result', async () => {
    let daemon;
    ({ site, daemon } = await FaultSite.start());
    site.line.stall('to-server');
    const message = textMessage('once');
    const answer = rpcCall(site.target(), 'SendMessage', message).catch(() => 'no answer');
    await until('the job runs', () => site.ran().length === 1);
    const [stored] = (await site.listed()) as [SeenTask];
    expect(stored.status.state).toBe('TASK_STATE_SUBMITTED');
    await site.killApi();
    expect(await answer).toBe('no answer');

    await site.startApi();
    const completed = await site.completed(stored);
    expect(replyOf(completed)).toBe('did once');
    const repeated = await rpcCall(site.target(), 'SendMessage', message);
    expect(repeated.body.result.task).toMatchObject({ id: stored.id, status: completed.status });
    expect(await daemon.stop()).toBe(0);
    expect(site.ran()).toEqual([{ jobId: stored.id, by: 'daemon' }]);
  });

  it('[K4] [R4] [B139] between result and acknowledgement: the daemon repeats, the task is completed once', async () => {
    let daemon;
    ({ site, daemon } = await FaultSite.start());
    site.shut('result');
    const { id } = await site.send('result');
    await taskUntil(site.target(), id, inState('WORKING'));
    site.line.stall('to-client');
    site.open('result');
    await until('the result is stored', async () => (await site.listed()).some(inState('COMPLETED')));
    const before = await site.listed();
    await site.killApi();

    const told = daemon.output.length;
    await site.startApi();
    await daemon.printed(/Connected to the API/, told);
    expect(await daemon.stop()).toBe(0);
    expect(await site.listed()).toEqual(before);
    expect(site.ran()).toEqual([{ jobId: id, by: 'daemon' }]);
    const jobs = await query<{ owed: number }>(
      join(site.dir, 'daemon', 'daemon.sqlite'),
      'SELECT revision - acknowledged AS owed FROM jobs',
    );
    expect(jobs).toEqual([{ owed: 0 }]);
    expect(await site.api.stop()).toBe(0);
    expect(await damageOf(site.apiFile)).toEqual([]);
  });
});
