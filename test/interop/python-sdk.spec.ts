import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { join } from 'node:path';
import { Deployment } from '../support/processes.js';
import { preparePythonClient, runPython } from '../support/python-client.js';

jest.setTimeout(120_000);

const client = preparePythonClient();
if ('missing' in client) {
  // In continuous integration a missing Python is a fault of the set-up, and these tests may not vanish with it.
  if (process.env.CI === 'true') throw new Error(`the Python client cannot be set up: ${client.missing}`);
  process.stderr.write(`Skipping the tests of the Python client: ${client.missing}\n`);
}
const python = 'python' in client ? client.python : '';
const withPython = python === '' ? describe.skip : describe;

withPython('the official Python client', () => {
  let deployment: Deployment;
  let env: Record<string, string>;
  beforeAll(async () => {
    deployment = await Deployment.create();
    await deployment.start();
    env = { HELLO_A2A_URL: deployment.endpoint('echo'), HELLO_ACCESS_TOKEN: await deployment.token() };
  });
  afterAll(() => deployment.close());

  it('[C1] [W6] [S2] [S3] [S5] [G3] [G5] reads every answer strictly: card, send, get, list, errors', async () => {
    const { stdout } = await runPython(python, [join(__dirname, 'strict_client.py')], env);
    const seen = JSON.parse(stdout);
    expect(seen.card.supportedInterfaces).toEqual([
      { url: deployment.endpoint('echo'), protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    ]);
    expect(seen.repeatIsSame).toBe(true);
    for (const task of [seen.task, seen.waited]) {
      expect(task.status.state).toBe('TASK_STATE_COMPLETED');
      expect(task.artifacts).toEqual([
        { artifactId: `${task.id}-reply`, name: 'Reply', parts: [{ text: 'From Python: ü 👋' }] },
      ]);
    }
    expect(seen.list).toMatchObject({ pageSize: 1, totalSize: 2, tasks: [{ id: seen.waited.id }] });
    expect(seen.list.nextPageToken).not.toBe('');
    expect(seen.unknownTask).toBe('TaskNotFoundError');
    expect(seen.cancelFinished).toBe('TaskNotCancelableError');
  });

  it('[C5] reaches a link-only assistant with the key in HELLO_A2A_URL', async () => {
    const url = `${deployment.endpoint('link')}?k=${encodeURIComponent(deployment.linkKey)}`;
    const { stdout } = await runPython(python, [join(__dirname, 'strict_client.py')], {
      ...env,
      HELLO_A2A_URL: url,
    });
    expect(JSON.parse(stdout).card.supportedInterfaces[0].url).toBe(url);
  });

  it('runs the example of the README: the reply alone on stdout', async () => {
    const script = join(__dirname, '..', '..', 'examples', 'ask.py');
    const { stdout, stderr } = await runPython(python, [script, 'Hello'], env);
    expect(stdout).toBe('Hello\n');
    expect(stderr).toContain('TASK_STATE_COMPLETED');
  });
});
