import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { refusal, type JobReport } from '../../../src/relay-protocol/index.js';
import type { ScriptedDaemon } from '../../support/scripted-daemon.js';
import { ADDRESSES, OTHER_RELAY_TOKEN, TestApi } from '../../support/test-api.js';

const MIB = 1024 * 1024;

let api: TestApi;
/** The computer that lies, and another one. */
let liar: ScriptedDaemon;
let honest: ScriptedDaemon;

beforeEach(async () => {
  api = await TestApi.start();
  liar = await api.daemon();
  honest = await api.daemon({ token: OTHER_RELAY_TOKEN });
});
afterEach(() => api.close());

const report = (jobId: string, state: JobReport['state'], revision: number, reply?: string): JobReport => ({
  jobId,
  state,
  revision,
  updatedAt: new Date().toISOString(),
  ...(reply !== undefined && { reply }),
});

const sendTo = (address: string) => api.send({}, { address });
const towerTask = (id: string) => api.getTask(id, { address: ADDRESSES.tower });

/** A new job on either computer still ends well. */
async function allIsWell(): Promise<void> {
  const other = await sendTo(ADDRESSES.tower);
  await honest.complete(other.id, 'fine');
  expect((await towerTask(other.id)).artifacts[0].parts).toEqual([{ text: 'fine' }]);
  liar = await api.daemon();
  const own = await sendTo(ADDRESSES.helper);
  await liar.complete(own.id, 'fine');
  expect((await api.getTask(own.id)).status.state).toBe('TASK_STATE_COMPLETED');
}

describe('a daemon that lies', () => {
  it('[R7] [G1] cannot touch the job of another computer, neither by an update nor by an answer', async () => {
    const task = await sendTo(ADDRESSES.tower);
    const before = await towerTask(task.id);
    for (const state of ['succeeded', 'failed', 'canceled'] as const) {
      const answer = await liar.sendUpdate(report(task.id, state, 99, 'a lie'));
      expect(answer).toEqual({ acknowledged: 99, known: false });
    }
    liar = await api.daemon({
      methods: { 'job.status': async () => ({ jobs: [report(task.id, 'failed', 99)] }) },
    });
    const own = await sendTo(ADDRESSES.helper);
    await api.getTask(own.id);
    expect((await towerTask(task.id)).status).toEqual(before.status);
    await honest.complete(task.id, 'true');
    expect((await towerTask(task.id)).artifacts[0].parts).toEqual([{ text: 'true' }]);
  });

  it('[R7] [G5] [B139] changes nothing by a lower revision, and nothing after an end', async () => {
    const task = await sendTo(ADDRESSES.helper);
    await liar.sendUpdate(report(task.id, 'running', 10));
    await liar.sendUpdate(report(task.id, 'succeeded', 9, 'of an older revision'));
    await liar.sendUpdate(report(task.id, 'failed', 10));
    const [listed] = (await api.rpc(ADDRESSES.helper, 'ListTasks', {})).body.result.tasks;
    expect(listed.status.state).toBe('TASK_STATE_WORKING');

    await liar.sendUpdate(report(task.id, 'succeeded', 11, 'the first'));
    const ended = await api.getTask(task.id);
    for (const late of [
      report(task.id, 'succeeded', 12, 'another'),
      report(task.id, 'running', 13),
      report(task.id, 'failed', 14),
      report(task.id, 'queued', 2 ** 31),
    ]) {
      expect(await liar.sendUpdate(late)).toEqual({ acknowledged: late.revision });
    }
    expect(await api.getTask(task.id)).toEqual(ended);
    expect(ended.artifacts).toMatchObject([{ parts: [{ text: 'the first' }] }]);
  });

  it.each([
    [
      'of 20 MiB',
      () => `{"jsonrpc":"2.0","method":"job.delta","params":{"text":"${'x'.repeat(20 * MIB)}"}}`,
      1009,
    ],
    ['that are no JSON', () => '\u0000\ufffd{"', 4400],
    ['that are no JSON-RPC', () => '{"hello":"world"}', 4400],
    ['of a batch', () => '[{"jsonrpc":"2.0","method":"job.delta"}]', 4400],
    ['of bytes', () => Buffer.from([0, 255, 254, 1]), 4400],
  ])('[R7] [B130] [B133] is cut off for frames %s; its task and the others stay', async (_, frame, code) => {
    const own = await sendTo(ADDRESSES.helper);
    const other = await sendTo(ADDRESSES.tower);
    const closed = once(liar.socket, 'close');
    liar.socket.send(frame());
    expect((await closed)[0]).toBe(code);
    const known = await api.getTask(own.id);
    expect(known.status.state).toBe('TASK_STATE_WORKING');
    expect((await towerTask(other.id)).status.state).toBe('TASK_STATE_WORKING');
    const earlier = liar;
    liar = await api.daemon();
    liar.adopt(earlier);
    await liar.complete(own.id, 'after all');
    expect((await api.getTask(own.id)).artifacts[0].parts).toEqual([{ text: 'after all' }]);
    await allIsWell();
  });

  it('[S10] [R4] has a reply taken only with the end of its job', async () => {
    const task = await sendTo(ADDRESSES.helper);
    await liar.sendUpdate(report(task.id, 'running', 2, 'a piece'));
    expect(await api.getTask(task.id)).not.toHaveProperty('artifacts');
    await liar.sendUpdate(report(task.id, 'succeeded', 3));
    expect(await api.getTask(task.id)).not.toHaveProperty('artifacts');
  });

  it('[S2] [S8] reports the end and then refuses the job: the caller gets the end', async () => {
    await liar.close();
    liar = await api.daemon({
      onSubmit: async (job, daemon) => {
        await daemon.complete(job.params.jobId, 'done all the same');
        throw refusal('queue_full', 'no room');
      },
    });
    const task = await sendTo(ADDRESSES.helper);
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('[R7] is cut off with 4429 for 10,000 frames at once, while others are served', async () => {
    const other = await sendTo(ADDRESSES.tower);
    const closed = once(liar.socket, 'close');
    const frame = JSON.stringify({
      jsonrpc: '2.0',
      method: 'job.delta',
      params: { jobId: other.id, sequence: 1, text: 'x' },
    });
    for (let count = 0; count < 10_000; count += 1) liar.socket.send(frame);
    expect((await towerTask(other.id)).status.state).toBe('TASK_STATE_WORKING');
    expect((await closed)[0]).toBe(4429);
    await honest.complete(other.id, 'undisturbed');
    expect((await towerTask(other.id)).artifacts[0].parts).toEqual([{ text: 'undisturbed' }]);
    await allIsWell();
  });
});
