import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { EXECUTORS, atWork, type Script, type Stage } from '../../support/executors.js';
import { ScriptedDaemon } from '../../support/scripted-daemon.js';
import { ADDRESSES, newMessage, type TestApi } from '../../support/test-api.js';

const HOUR_MS = 3_600_000;
const LIMIT = 8;

let stage: Stage;
let api: TestApi;
let daemon: Script;
let behindMs: number;

async function page(pageToken = ''): Promise<{ ids: string[]; next: string; total: number }> {
  const { body } = await api.rpc(ADDRESSES.helper, 'ListTasks', { pageSize: 2, pageToken });
  const { tasks, nextPageToken, totalSize } = body.result;
  return { ids: tasks.map(({ id }: { id: string }) => id), next: nextPageToken, total: totalSize };
}

const timeOf = (task: { status: { timestamp: string } }) => Date.parse(task.status.timestamp);

/** A task that is at work, so that its time does not change any more before the next one is sent. */
async function working(): Promise<any> {
  const { id } = await api.send();
  await atWork(api, id);
  return api.getTask(id);
}

describe.each(EXECUTORS)('the clock is set back by an hour, %s', (_name, start) => {
  beforeEach(async () => {
    behindMs = 0;
    const real = Date.now.bind(Date);
    jest.spyOn(Date, 'now').mockImplementation(() => real() - behindMs);
    stage = await start({ environment: { A2A_MESSAGES_PER_HOUR: String(LIMIT) } });
    ({ api, daemon } = stage);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await api.close();
  });

  it('[K4] [G5] [B139] status times do not decrease, and what is terminal stays so', async () => {
    const open = await working();
    const done = await working();
    await daemon.complete(done.id);
    const completed = await api.getTask(done.id);
    behindMs = HOUR_MS;

    await daemon.complete(open.id);
    const later = await api.getTask(open.id);
    expect(later.status.state).toBe('TASK_STATE_COMPLETED');
    expect(timeOf(later)).toBeGreaterThanOrEqual(timeOf(open));
    if (daemon instanceof ScriptedDaemon) await daemon.report(done.id, 'running');
    expect(await api.getTask(done.id)).toEqual(completed);
    const cancel = await api.rpc(ADDRESSES.helper, 'CancelTask', { id: done.id });
    expect(cancel.body.error.code).toBe(-32002);
  });

  it('[G4] [B99] a walk through the pages that is under way shows each task once, and those sent meanwhile no more than once', async () => {
    const before: string[] = [];
    for (let count = 0; count < 5; count += 1) before.push((await working()).id);
    const first = await page();
    behindMs = HOUR_MS;
    const meanwhile = [(await working()).id, (await working()).id];
    // It ends now, but does not move in the list: its time cannot decrease.
    await daemon.complete(before[2] ?? '');

    const walked = [...first.ids];
    for (let next = first.next; next !== '';) {
      const { ids, next: following, total } = await page(next);
      expect(total).toBe(before.length + meanwhile.length);
      walked.push(...ids);
      next = following;
    }
    expect(new Set(walked).size).toBe(walked.length);
    expect(walked.filter((id) => before.includes(id))).toEqual(before.toReversed());

    const whole = [];
    let next = '';
    do {
      const each = await page(next);
      whole.push(...each.ids);
      next = each.next;
    } while (next !== '');
    expect(whole.toSorted()).toEqual([...before, ...meanwhile].toSorted());
  });

  it('[S9] [B63] [S5] the quota of the hour is not filled anew, retries stay free, also after a restart', async () => {
    const message = newMessage();
    const first = await api.send(message);
    for (let count = 1; count < LIMIT; count += 1) await api.send();
    behindMs = HOUR_MS;

    const send = (members: object) =>
      api.rpc(ADDRESSES.helper, 'SendMessage', {
        message: newMessage(members),
        configuration: { returnImmediately: true },
      });
    const refused = await send({});
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    stage = await stage.restart();
    ({ api, daemon } = stage);
    expect((await send({})).status).toBe(429);
    expect((await send(message)).body.result.task.id).toBe(first.id);
    // Past the hour of the latest one the account may send again, whatever the clock did.
    behindMs = -2 * HOUR_MS;
    expect((await send({})).status).toBe(200);
  });
});
