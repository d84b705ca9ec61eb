import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { rpcCall, taskUntil, textMessage } from '../../support/rpc-call.js';
import { damageOf, query } from './database-file.js';
import { FaultSite, closeSites } from './fault-site.js';
import { inState, replyOf } from './task-looks.js';

jest.setTimeout(120_000);

let site: FaultSite;
afterEach(closeSites);

describe('the database of the API restored from an older backup', () => {
  it('[K3] [R4] [R5] [R7] [B136] settles what was open then from the results that the daemon has kept, and acknowledges what it does not know', async () => {
    let daemon;
    ({ site, daemon } = await FaultSite.start());
    for (const text of ['acknowledged', 'owed', 'later']) site.shut(text);
    const finished = await site.completed(await site.send('finished'));
    const acknowledged = await site.send('acknowledged');
    const owed = await site.send('owed');
    for (const { id } of [acknowledged, owed]) await taskUntil(site.target(), id, inState('WORKING'));
    const backup = join(site.dir, 'backup.sqlite');
    await query(site.apiFile, `VACUUM INTO '${backup}'`);

    site.open('acknowledged');
    const settled = await site.completed(acknowledged);
    const laterMessage = textMessage('later');
    const later = (await rpcCall(site.target(), 'SendMessage', laterMessage)).body.result.task;
    await taskUntil(site.target(), later.id, inState('WORKING'));
    await site.killApi();
    for (const text of ['owed', 'later']) site.open(text);
    for (const suffix of ['-wal', '-shm']) rmSync(site.apiFile + suffix, { force: true });
    copyFileSync(backup, site.apiFile);
    await site.startApi();

    expect(replyOf(await site.completed(owed))).toBe('did owed');
    expect((await site.completed(acknowledged)).artifacts).toEqual(settled.artifacts);
    expect(await site.completed(finished)).toEqual(finished);
    expect((await rpcCall(site.target(), 'GetTask', { id: later.id })).body.error.code).toBe(-32001);
    const all = [finished, acknowledged, owed, later].map(({ id }) => id);
    expect(
      site
        .ran()
        .map(({ jobId }) => jobId)
        .sort(),
    ).toEqual(all.sort());
    expect(await daemon.stop()).toBe(0);
    expect(await site.api.stop()).toBe(0);
    const jobs = await query<{ job_id: string; owed: number }>(
      join(site.dir, 'daemon', 'daemon.sqlite'),
      'SELECT job_id, revision - acknowledged AS owed FROM jobs',
    );
    expect(jobs).toHaveLength(3);
    expect(jobs).not.toContainEqual(expect.objectContaining({ job_id: later.id }));
    expect(jobs.filter((job) => job.owed !== 0)).toEqual([]);
    expect(await damageOf(site.apiFile)).toEqual([]);
  });
});
