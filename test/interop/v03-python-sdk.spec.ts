import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { join } from 'node:path';
import { Deployment } from '../support/processes.js';
import { preparePythonClient, runPython } from '../support/python-client.js';
import { ASKING_TWICE } from './v03-assistants.js';

jest.setTimeout(180_000);

const client = preparePythonClient(join(__dirname, 'requirements-v03.txt'));
if ('missing' in client) {
  // In continuous integration a missing Python is a fault of the set-up, and these tests may not vanish with it.
  if (process.env.CI === 'true') throw new Error(`the Python client cannot be set up: ${client.missing}`);
  process.stderr.write(`Skipping the tests of the Python client 0.3: ${client.missing}\n`);
}
const python = 'python' in client ? client.python : '';
const withPython = python === '' ? describe.skip : describe;

/** Silent for longer than the five seconds after which the client gives up. */
const SILENT = { runtime: 'command', command: ['/bin/sh', '-c', 'sleep 7; echo At last'] };

withPython('the official Python client 0.3', () => {
  let deployment: Deployment;
  let seen: any;
  beforeAll(async () => {
    deployment = await Deployment.create({ runtimes: { desk: ASKING_TWICE, other: SILENT } });
    await deployment.start();
    const { stdout } = await runPython(python, [join(__dirname, 'v03_client.py')], {
      HELLO_ECHO_URL: deployment.published('echo'),
      HELLO_SLOW_URL: deployment.published('other'),
      HELLO_DESK_URL: deployment.published('desk'),
      HELLO_API_KEY: deployment.apiKey,
    });
    seen = JSON.parse(stdout);
  });
  afterAll(() => deployment.close());

  it('[P1] reads the card', () => {
    expect(seen.card).toMatchObject({ url: deployment.published('echo'), protocolVersion: '0.3.0' });
  });

  it('[P2] [P3] [P4] sends and streams', () => {
    for (const { task } of [seen.sent, seen.streamed]) {
      expect(task).toMatchObject({ status: { state: 'completed' }, artifacts: [{ name: 'response' }] });
      // The client collects the pieces; the one that says "last" may be empty.
      const parts: { text: string }[] = task.artifacts[0].parts;
      expect(parts.map(({ text }) => text).join('')).toBe('From Python: ü 👋');
    }
    expect(seen.streamed.kinds[0]).toBe('task');
    expect(seen.streamed.kinds.at(-1)).toBe('status-update');
    expect(seen.streamed.kinds).toContain('artifact-update');
  });

  it('[P4] [B111] outlasts a silence that is longer than its own patience', () => {
    expect(seen.afterSilence.task.status.state).toBe('completed');
    expect(seen.afterSilence.task.artifacts[0].parts[0].text.trim()).toBe('At last');
  });

  it('[P6] [B97] answers two approvals in a row', () => {
    const states = seen.dialogue.map(({ task }: any) => [task.id, task.status.state]);
    const { id } = seen.read;
    expect(states).toEqual([
      [id, 'input-required'],
      [id, 'input-required'],
      [id, 'completed'],
    ]);
    expect(seen.read.artifacts[0].parts[0].text).toBe('Sent: Dear reader, a letter');
    expect(seen.read.history.map(({ role }: any) => role)).toEqual([
      'user',
      'agent',
      'user',
      'agent',
      'user',
    ]);
  });

  it('[P5] cancels; the stream of a canceled task shows it and ends', () => {
    expect(seen.canceled.status.state).toBe('canceled');
    expect(seen.resubscribed.task.status.state).toBe('canceled');
  });
});
