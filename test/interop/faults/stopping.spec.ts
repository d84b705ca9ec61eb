import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { rpcCall, taskUntil, textMessage } from '../../support/rpc-call.js';
import { until } from '../../support/test-api.js';
import { damageOf } from './database-file.js';
import { FaultSite, closeSites } from './fault-site.js';
import { inState, replyOf } from './task-looks.js';

jest.setTimeout(120_000);

let site: FaultSite;
afterEach(closeSites);

/** A task whose program is at work, and the process group of that program. */
async function stubbornTask(): Promise<{ id: string; group: number }> {
  const { id } = await site.send('work', 'stubborn');
  await until('the program runs', () => readdirSync(site.dir).includes('group'));
  const group = Number(readFileSync(join(site.dir, 'group'), 'utf8'));
  expect(alive(group).length).toBeGreaterThan(1);
  return { id, group };
}

describe('CancelTask of a command', () => {
  it('[G5] answers canceled when the whole process tree is gone, also one that ignores SIGTERM', async () => {
    ({ site } = await FaultSite.start());
    const { id, group } = await stubbornTask();
    const { body } = await rpcCall(site.target('stubborn'), 'CancelTask', { id });
    expect(alive(group)).toEqual([]);
    expect(body.result).toMatchObject({ id, status: { state: 'TASK_STATE_CANCELED' } });
  });

  it('[G5] confirms nothing before the daemon does; once it does, the process tree is gone and the task canceled for good', async () => {
    ({ site } = await FaultSite.start({ settings: { RELAY_CANCEL_TIMEOUT_MS: '300' } }));
    const target = site.target('stubborn');
    const { id, group } = await stubbornTask();
    // It ignores SIGTERM, so that the first answer comes before its end: nothing is confirmed.
    const early = await rpcCall(target, 'CancelTask', { id });
    expect({ status: early.status, taskId: early.body.taskId }).toEqual({ status: 503, taskId: id });
    const canceled = await taskUntil(target, id, inState('CANCELED'));
    expect(alive(group)).toEqual([]);
    const late = await rpcCall(target, 'CancelTask', { id });
    expect(late.body.error.code).toBe(-32002);
    expect((await rpcCall(target, 'GetTask', { id })).body.result).toEqual(canceled);
  });
});

describe('SIGTERM of the API', () => {
  it('[R8] [B150] ends within 10 s with code 0, also when it comes twice; the waiter is told its task, which goes on after the restart', async () => {
    let daemon;
    ({ site, daemon } = await FaultSite.start());
    const { api } = site;
    site.shut('slow');
    const idle = await idleConnection(site.base);
    const waiting = rpcCall(site.target(), 'SendMessage', textMessage('slow', { returnImmediately: false }));
    await until('the task is at work', async () => (await site.listed()).some(inState('WORKING')));
    const [task] = await site.listed();
    if (!task) throw new Error('no task');

    process.kill(api.pid ?? 0, 'SIGTERM');
    const waiter = await waiting;
    expect(waiter.status).toBe(503);
    expect(waiter.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(waiter.body).toMatchObject({ taskId: task.id, error: expect.stringContaining(task.id) });
    process.kill(api.pid ?? 0, 'SIGTERM');
    const tooLate = new Promise((resolve) => setTimeout(resolve, 60_000, 'did not end').unref());
    expect(await Promise.race([api.ended, tooLate])).toBe(0);
    await idle.closed;
    expect(daemon.output).toMatch(/"?code"?[=:]1012/);
    expect(await damageOf(site.apiFile)).toEqual([]);

    const told = daemon.output.length;
    await site.startApi();
    await daemon.printed(/Connected to the API/, told);
    expect(await site.listed()).toEqual([expect.objectContaining(task)]);
    site.open('slow');
    expect(replyOf(await site.completed(task))).toBe('did slow');
    expect(site.ran()).toHaveLength(1);
  });
});

/** A client's connection on which one answer came and nothing more is asked. */
async function idleConnection(base: string): Promise<{ closed: Promise<unknown> }> {
  const request = get(`${base}/healthz`, { agent: new Agent({ keepAlive: true }) });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const { socket } = response;
  const closed = once(socket, 'close');
  response.resume();
  await once(response, 'end');
  return { closed };
}

/** Processes of a group that have not ended; one that ended and was not collected yet does not count. */
function alive(group: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        // "pid (name) state parent group …"; the name may hold anything.
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const [state, , inGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return Number(inGroup) === group && state !== 'Z';
      } catch {
        return false;
      }
    })
    .map(Number);
}
