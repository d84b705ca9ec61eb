import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { HelloProcess } from '../support/hello-process.js';
import { Deployment } from '../support/processes.js';
import { isCompleted, rpcCall, taskUntil, textMessage } from '../support/rpc-call.js';
import { damageOf, query } from './faults/database-file.js';

jest.setTimeout(120_000);

const SENDS_A_SECOND = 50;

let deployment: Deployment;
afterEach(() => deployment.close());

interface Target {
  url: string;
  token: string;
}

async function start(): Promise<Target> {
  deployment = await Deployment.create({
    settings: { A2A_MESSAGES_PER_HOUR: '1000000', A2A_RPC_PER_MINUTE: '1000000' },
  });
  await deployment.start();
  return { url: deployment.endpoint('echo'), token: await deployment.token() };
}

const storePath = () => join(deployment.dir, 'a2a.sqlite');
const program = (...args: string[]) =>
  new HelloProcess(args, { cwd: deployment.dir, env: { A2A_STORE_PATH: storePath() } });

async function send(target: Target): Promise<string> {
  const { status, body } = await rpcCall(target, 'SendMessage', textMessage('hello'));
  if (status !== 200) throw new Error(`send failed: ${status} ${JSON.stringify(body)}`);
  return body.result.task.id;
}

/** Sends at a steady rate until it is ended. @returns the ids of what was answered, as they come, and what ends it */
function sendSteadily(target: Target): { answered: string[]; end: () => Promise<void> } {
  const answered: string[] = [];
  const sending: Promise<unknown>[] = [];
  const timer = setInterval(
    () => sending.push(send(target).then((id) => answered.push(id))),
    1000 / SENDS_A_SECOND,
  );
  return {
    answered,
    end: async () => {
      clearInterval(timer);
      await Promise.all(sending);
    },
  };
}

async function ended(process: HelloProcess): Promise<{ code: number | string; output: string }> {
  return { code: await process.ended, output: process.output };
}

describe('hello backup and hello restore', () => {
  it('[K3] a backup taken under 50 sends a second restores to a store that has every send answered before it began', async () => {
    const target = await start();
    const load = sendSteadily(target);
    while (load.answered.length < 3 * SENDS_A_SECOND) await send(target);
    const before = [...load.answered];
    const taken = await ended(program('backup', 'copy.sqlite', '--json'));
    expect(taken.code).toBe(0);
    await load.end();
    expect(load.answered.length).toBeGreaterThan(before.length);
    const copy = join(deployment.dir, 'copy.sqlite');
    const { bytes, counts } = JSON.parse(taken.output);
    expect([bytes, statSync(copy).mode & 0o777]).toEqual([statSync(copy).size, 0o600]);
    expect(counts.tasks).toBeGreaterThanOrEqual(before.length);
    expect(counts.messages).toBe(counts.tasks);

    const refused = await ended(program('restore', 'copy.sqlite'));
    expect(refused.code).toBe(16);
    expect(refused.output).toMatch(/^hello: A2A_STORE_PATH: .*the service.*uses it\n$/);
    // Whatever the service held goes with it, also when it had no time to give it back.
    await deployment.api?.kill();
    const restored = await ended(program('restore', 'copy.sqlite', '--replace-newer', '--json'));
    expect(restored).toMatchObject({ code: 0 });

    await deployment.startApi();
    const stored = new Set(
      (await query<{ id: string }>(storePath(), 'SELECT id FROM tasks')).map(({ id }) => id),
    );
    expect(before.filter((id) => !stored.has(id))).toEqual([]);
    expect(stored.size).toBe(counts.tasks);
    for (const id of before.slice(-20)) await taskUntil(target, id, isCompleted);
    expect(await damageOf(storePath())).toEqual([]);
    const { keptAs } = JSON.parse(restored.output);
    expect((await query<{ n: number }>(keptAs, 'SELECT COUNT(*) AS n FROM tasks'))[0]?.n).toBeGreaterThan(
      stored.size - 1,
    );
  });

  it('[K3] a backup on a full disk says so and leaves no file', async () => {
    const target = await start();
    await Promise.all(Array.from({ length: 50 }, () => send(target)));
    const limited = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
      execFile(
        'prlimit',
        [
          '--fsize=100000',
          process.execPath,
          join(__dirname, '..', '..', 'bin', 'hello.mjs'),
          'backup',
          'copy.sqlite',
        ],
        { cwd: deployment.dir, env: { PATH: process.env.PATH, A2A_STORE_PATH: storePath() } },
        (error, _, stderr) => resolve({ code: error?.code, stderr }),
      );
    });
    expect(limited).toEqual({
      code: 16,
      stderr: expect.stringMatching(/^hello: cannot copy .* to copy\.sqlite: .+\n$/),
    });
    expect(readdirSync(deployment.dir).filter((name) => name.startsWith('copy'))).toEqual([]);
    expect(await send(target)).toEqual(expect.any(String));
    expect(existsSync(storePath())).toBe(true);
  });
});
