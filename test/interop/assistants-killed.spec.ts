import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { signAccountToken } from '../../src/accounts/index.js';
import { HelloProcess } from '../support/hello-process.js';
import { isCompleted, rpcCall, taskUntil, textMessage } from '../support/rpc-call.js';
import { until } from '../support/test-api.js';

jest.setTimeout(240_000);

const SECRET = 'a-secret-for-tests-of-at-least-32-bytes';
const WITHIN_MS = 90_000;
/** As many as run at once, and some that wait for their turn. */
const [RUNNING, WAITING] = [100, 50];

const stateOf = (task: any): string => task.status.state;
const textOf = (task: any): string | undefined => task.status.message?.parts[0].text;

describe('a program of a team with an assistant in its process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hello-assistants-'));
  const ledger = join(folder, 'ran.txt');
  let program: HelloProcess;
  let target: { url: string; token: string };
  let url: string;

  const start = async () => {
    const env = {
      PORT: '0',
      ACCOUNT_JWT_SECRET: SECRET,
      A2A_STORE_PATH: join(folder, 'data', 'a2a.sqlite'),
      A2A_MESSAGES_PER_HOUR: '100000',
      A2A_RPC_PER_MINUTE: '100000',
    };
    const file = join(__dirname, 'assistants-program.mjs');
    program = new HelloProcess([ledger], { cwd: folder, env, program: file });
    await program.printed(/listens on (\S+)/);
    url = /listens on (\S+)/.exec(program.output)?.[1] ?? '';
    target = { ...target, url: `${url}/a2a/@team/desk` };
  };
  const ran = () =>
    readFileSync(ledger, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  const send = async (text: string): Promise<string> =>
    (await rpcCall(target, 'SendMessage', textMessage(text))).body.result.task.id;
  const sendAll = (text: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => send(text)));

  /** A message of A2A 0.3, whose assistants may ask. */
  const say = async (text: string, members: object = {}) => {
    const message = {
      kind: 'message',
      messageId: `m-${Math.random()}`,
      role: 'user',
      parts: [{ kind: 'text', text }],
      ...members,
    };
    const published = { ...target, url: `${url}/a2a/team.desk`, version: '0.3' };
    return (await rpcCall(published, 'message/send', { message })).body.result;
  };
  const task = (id: string, done: (found: any) => boolean) => taskUntil(target, id, done, WITHIN_MS);

  beforeAll(async () => {
    writeFileSync(ledger, '');
    const token = await signAccountToken({ secret: SECRET, accountId: 'caller', ttlSeconds: 3600 });
    target = { url: '', token };
    await start();
  });
  afterAll(async () => {
    await program.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  it('[P6] goes on when an assistant forgets to wait for an answer, or for work that fails', async () => {
    const asked = await say('forgets');
    expect([asked.status.state, asked.status.message.parts[0].text]).toEqual(['input-required', 'Which?']);
    await say('fails late');
    const { status, artifacts } = await say('hello');
    expect([status.state, artifacts[0].parts[0].text]).toEqual(['completed', 'done: hello']);
  });

  it('[K4] [R6] [P6] killed with jobs that run, wait and ask: each ends truthfully, and none runs twice', async () => {
    writeFileSync(ledger, '');
    const asking = await say('asks');
    const running = await sendAll('runs', RUNNING);
    await until('all are at work', () => ran().length === RUNNING, WITHIN_MS);
    const waiting = await sendAll('waits', WAITING);
    for (const id of waiting) await task(id, (found) => stateOf(found) === 'TASK_STATE_SUBMITTED');

    await program.kill();
    await start();

    for (const id of running) {
      const ended = await task(id, (found) => stateOf(found) === 'TASK_STATE_FAILED');
      expect(textOf(ended)).toContain('restarted while this job was running; it was not run again');
    }
    for (const id of waiting)
      expect((await task(id, isCompleted)).artifacts[0].parts[0].text).toBe('done: waits');
    const still = await task(asking.id, () => true);
    expect([stateOf(still), textOf(still)]).toEqual(['TASK_STATE_INPUT_REQUIRED', 'Which?']);
    const answered = await say('blue', { taskId: asking.id });
    expect([answered.status.state, answered.artifacts[0].parts[0].text]).toEqual([
      'completed',
      'you said blue',
    ]);
    const expected = [...running, ...waiting, asking.id].map((id) => `ran ${id}`);
    expect(ran().sort()).toEqual(expected.sort());
  });
});
