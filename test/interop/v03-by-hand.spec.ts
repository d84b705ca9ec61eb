import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { shellCommands } from '../support/markdown-commands.js';
import { Deployment } from '../support/processes.js';
import { ASKING_TWICE } from './v03-assistants.js';

jest.setTimeout(120_000);

const COMMANDS = shellCommands('docs/v03.md');
const MARK = '\n=== environment ===\n';

let deployment: Deployment;
let env: Record<string, string>;
beforeAll(async () => {
  deployment = await Deployment.create({ runtimes: { desk: ASKING_TWICE } });
  await deployment.start();
  env = {
    PATH: process.env.PATH ?? '',
    HELLO_V03_URL: deployment.published('desk'),
    HELLO_API_KEY: deployment.apiKey,
  };
});
afterAll(() => deployment.close());

/** Runs what the page prints under a heading; what it exports is there for the next one. */
async function run(heading: string): Promise<string> {
  const command = COMMANDS.get(heading);
  if (command === undefined) throw new Error(`the page has no command under "${heading}"`);
  const script = `${command}\nprintf '${MARK.replaceAll('\n', '\\n')}'; node -p 'JSON.stringify(process.env)'`;
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { env });
  const [output = '', exported = '{}'] = stdout.split(MARK);
  env = JSON.parse(exported);
  return output;
}

const resultOf = (output: string) => JSON.parse(output).result;

/** From the question to the end, with something happening before each answer. */
async function dialogue(between: () => Promise<void>): Promise<void> {
  const asked = resultOf(await run('Ask'));
  expect(asked.status).toMatchObject({
    state: 'input-required',
    message: { parts: [{ text: 'Send this? Dear reader, I am fine.' }] },
  });
  await between();
  const again = resultOf(await run('Answer'));
  expect(again).toMatchObject({
    id: asked.id,
    status: { state: 'input-required', message: { parts: [{ text: 'Really?' }] } },
  });
  await between();
  const done = resultOf(await run('Answer'));
  expect(done).toMatchObject({
    id: asked.id,
    status: { state: 'completed' },
    artifacts: [{ name: 'response', parts: [{ text: 'Sent: Dear reader, I am fine.' }] }],
  });
  expect(done.history.map(({ role }: { role: string }) => role)).toEqual([
    'user',
    'agent',
    'user',
    'agent',
    'user',
  ]);
}

describe('the commands of the page about A2A 0.3', () => {
  it('[P1] the card', async () => {
    expect(JSON.parse(await run('The card'))).toMatchObject({ url: deployment.published('desk') });
  });

  it('[P2] [P3] sending', async () => {
    expect(resultOf(await run('Send')).status.state).toBe('input-required');
  });

  it('[P4] streaming', async () => {
    const events = (await run('Stream')).split('\n').filter((line) => line.startsWith('data: '));
    expect(resultOf(events[0]?.slice(6) ?? '').kind).toBe('task');
    expect(resultOf(events.at(-1)?.slice(6) ?? '')).toMatchObject({
      kind: 'status-update',
      status: { state: 'input-required' },
      final: true,
    });
  });

  it('[P6] [B97] two approvals in a row', () => dialogue(async () => undefined));

  it('[P6] [K4] with the API killed while it waits', () =>
    dialogue(async () => {
      await deployment.api?.kill();
      const seen = deployment.daemon?.output.length ?? 0;
      await deployment.startApi();
      await deployment.daemon?.printed(/Connected to the API/, seen);
    }));

  it('[P6] [R6] with the daemon restarted while it waits, and killed', async () => {
    let ends = 0;
    await dialogue(async () => {
      ends += 1;
      if (ends === 1) await deployment.daemon?.stop();
      else await deployment.daemon?.kill();
      await deployment.startDaemon();
    });
  });
});
