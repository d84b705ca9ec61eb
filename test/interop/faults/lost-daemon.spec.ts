import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ExitCode } from '../../../src/cli/cli-error.js';
import { rpcCall, taskUntil, textMessage } from '../../support/rpc-call.js';
import { until } from '../../support/test-api.js';
import { FaultSite, closeSites } from './fault-site.js';
import { explanationOf, inState, replyOf, type SeenTask } from './task-looks.js';

jest.setTimeout(120_000);

let site: FaultSite;
afterEach(closeSites);

/** One job at work behind its gate and two that wait for its place. */
async function oneRunningTwoQueued(): Promise<{ running: SeenTask; queued: SeenTask[] }> {
  site.shut('running');
  const running = await site.send('running');
  await until('the first job runs', () => site.ran().length === 1);
  const queued = [await site.send('queued-1'), await site.send('queued-2')];
  expect(queued.map((task) => task.status.state)).toEqual(['TASK_STATE_SUBMITTED', 'TASK_STATE_SUBMITTED']);
  return { running, queued };
}

describe('the daemon is lost', () => {
  it('[R6] [K4] [B85] kill -9: what ran fails with an explanation, what was queued runs, nothing runs twice', async () => {
    let daemon;
    ({ site, daemon } = await FaultSite.start({ concurrency: 1 }));
    const { running, queued } = await oneRunningTwoQueued();
    await daemon.kill();
    await site.startDaemon('second');

    const failed = await taskUntil(site.target(), running.id, inState('FAILED'));
    expect(explanationOf(failed)).toMatch(/was running; it was not run again/);
    for (const task of queued) await site.completed(task);
    // A slot of the dead job that was kept would leave no place for this one.
    await site.completed(await site.send('new'));
    site.open('running');
    expect(site.ran().map(({ jobId, by }) => `${jobId} ${by}`)).toEqual([
      `${running.id} daemon`,
      ...queued.map((task) => `${task.id} second`),
      expect.stringMatching(/ second$/),
    ]);
    expect((await site.listed()).find(({ id }) => id === running.id)?.status).toEqual(failed.status);
  });

  it('[R5] [B85] [B137] its database deleted: open tasks fail with an explanation and do not run, new ones run', async () => {
    let daemon;
    ({ site, daemon } = await FaultSite.start({ concurrency: 1 }));
    const { running, queued } = await oneRunningTwoQueued();
    const waiting = rpcCall(
      site.target(),
      'SendMessage',
      textMessage('queued-3', { returnImmediately: false }),
    );
    await until('the waiting send is stored', async () => (await site.listed()).length === 4);
    await daemon.kill();
    rmSync(join(site.dir, 'daemon'), { recursive: true });
    await site.startDaemon('second');

    for (const { id } of [running, ...queued]) {
      const failed = await taskUntil(site.target(), id, inState('FAILED'));
      expect(explanationOf(failed)).toMatch(/does not know this job; it was not run again/);
    }
    expect((await waiting).body.result.task.status.state).toBe('TASK_STATE_FAILED');
    const fresh = await site.send('new');
    await site.completed(fresh);
    site.open('running');
    expect(site.ran()).toEqual([
      { jobId: running.id, by: 'daemon' },
      { jobId: fresh.id, by: 'second' },
    ]);
  });

  it('[R3] [S8] [G1] [B128] stopped by SIGSTOP: offline after the heartbeats, tasks as last known; after SIGCONT results arrive', async () => {
    let daemon;
    ({ site, daemon } = await FaultSite.start({ settings: { RELAY_HEARTBEAT_MS: '2000' } }));
    site.shut('slow');
    const slow = await site.send('slow');
    const known = await taskUntil(site.target(), slow.id, inState('WORKING'));
    process.kill(daemon.pid ?? 0, 'SIGSTOP');
    // Nobody can know yet: it is written to a socket that nobody reads, and must not be sent a second time.
    const sentIntoSilence = site.send('silence');
    await site.api.printed(/"reason":"silent"/);

    const message = textMessage('refused');
    const refused = await rpcCall(site.target(), 'SendMessage', message);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    const silent = await sentIntoSilence;
    expect(silent.status.state).toBe('TASK_STATE_SUBMITTED');
    const { body } = await rpcCall(site.target(), 'GetTask', { id: slow.id });
    expect(body.result).toMatchObject({ status: known.status, metadata: known.metadata });
    expect(await site.listed()).toHaveLength(2);

    site.open('slow');
    const told = daemon.output.length;
    process.kill(daemon.pid ?? 0, 'SIGCONT');
    await daemon.printed(/Connected to the API/, told);
    expect(replyOf(await site.completed(slow))).toBe('did slow');
    await site.completed(silent);
    const again = await rpcCall(site.target(), 'SendMessage', message);
    await site.completed(again.body.result.task);
    expect(site.ran().map(({ jobId }) => jobId)).toEqual([slow.id, silent.id, again.body.result.task.id]);
  });

  it('[R3] [R4] [B126] two with one token: the later one takes over, the earlier one stops, nothing runs twice', async () => {
    let first;
    ({ site, daemon: first } = await FaultSite.start());
    site.shut('held');
    const held = await site.send('held');
    await until('the job runs', () => site.ran().length === 1);
    await site.startDaemon('second', 'other-folder');

    expect(await first.ended).toBe(ExitCode.replaced);
    expect(first.output).toMatch(/Another daemon connected with the relay token/);
    const failed = await taskUntil(site.target(), held.id, inState('FAILED'));
    site.open('held');
    // A third one on the files of the second must not even start.
    const third = site.launchDaemon('third', 'other-folder');
    expect(await third.ended).toBe(16);
    expect(third.output).toMatch(/--data .*another daemon is already running/);
    const later = await Promise.all(['a', 'b', 'c'].map((text) => site.send(text)));
    for (const task of later) await site.completed(task);

    const ran = site.ran();
    expect(ran[0]).toEqual({ jobId: held.id, by: 'daemon' });
    const byId = (left: { jobId: string }, right: { jobId: string }) => left.jobId.localeCompare(right.jobId);
    expect(ran.slice(1).sort(byId)).toEqual(later.map(({ id }) => ({ jobId: id, by: 'second' })).sort(byId));
    expect((await site.listed()).find(({ id }) => id === held.id)?.status).toEqual(failed.status);
  });
});
