import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { preparePythonClient } from '../support/python-client.js';
import { PythonDaemon, SCRIPT } from '../support/python-daemon.js';
import { ADDRESSES, newMessage, RELAY_TOKEN, TestApi, until } from '../support/test-api.js';
import { DaemonSide, TOKEN } from '../support/transcript-daemon.js';
import { transcriptsFor } from '../support/transcript-file.js';
import { Names } from '../support/transcript-names.js';
import { play } from '../support/transcript-runner.js';

jest.setTimeout(120_000);

const client = preparePythonClient();
if ('missing' in client) {
  // In continuous integration a missing Python is a fault of the set-up, and these tests may not vanish with it.
  if (process.env.CI === 'true') throw new Error(`the Python daemon cannot be set up: ${client.missing}`);
  process.stderr.write(`Skipping the tests of the Python daemon: ${client.missing}\n`);
}
const python = 'python' in client ? client.python : '';
const withPython = python === '' ? describe.skip : describe;

/** Its assistant answers at once, always, and with the text; that is all that a small example needs. */
const applicable = transcriptsFor('daemon').filter(
  ({ runtime, needs }) => runtime === 'echo' && needs.length === 0,
);

withPython('the example daemon in Python, in the recorded conversations', () => {
  it.each(applicable.map((transcript) => [transcript.title, transcript] as const))(
    '%s',
    async (_title, transcript) => {
      const side = await DaemonSide.open(new PythonDaemon(python, TOKEN));
      const names = new Names();
      names.bind('$agent', 'echo');
      try {
        await play(transcript, side, names);
      } finally {
        await side.close();
      }
    },
  );
});

withPython('the example daemon in Python, behind the API', () => {
  let api: TestApi;
  let daemon: PythonDaemon;
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hello-python-usage-'));
    api = await TestApi.start();
    daemon = new PythonDaemon(python, RELAY_TOKEN);
  });
  afterEach(async () => {
    await daemon.stop();
    await api.close();
    rmSync(folder, { recursive: true });
  });

  const relayUrl = () => `${api.url.replace('http', 'ws')}/relay`;
  const send = (message: object) => api.rpc(ADDRESSES.helper, 'SendMessage', { message });
  const answersSoon = (message: object) =>
    until('the daemon is connected', async () => (await send(message)).status === 200);

  it('[R2] [R4] [S3] [S5] [S10] answers a waiting caller, once for each message', async () => {
    await daemon.start(relayUrl());
    const message = newMessage({ parts: [{ text: 'From Python: ü 👋' }] });
    await answersSoon(message);
    const { task } = (await send(message)).body.result;
    expect(task).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ artifactId: `${task.id}-reply`, parts: [{ text: 'From Python: ü 👋' }] }],
    });
    const { totalSize } = (await api.rpc(ADDRESSES.helper, 'ListTasks', {})).body.result;
    expect(totalSize).toBe(1);
  });

  it('[R3] [R4] [S8] goes on after it was killed: offline meanwhile, its jobs and results kept', async () => {
    await daemon.start(relayUrl());
    const first = newMessage();
    await answersSoon(first);
    await daemon.kill();
    await until('it is offline', async () => (await send(newMessage())).status === 503);
    await daemon.start(relayUrl());
    const second = newMessage();
    await answersSoon(second);
    for (const message of [first, second])
      expect((await send(message)).body.result.task.status.state).toBe('TASK_STATE_COMPLETED');
  });

  it.each([[['--help']], [['-x']], [['jobs.sqlite', 'more']]])(
    'tells its usage for %j and makes no file',
    (args) => {
      const { status, stderr } = spawnSync(python, [SCRIPT, ...args], { cwd: folder, encoding: 'utf8' });
      expect(status).toBe(1);
      expect(stderr).toContain('python3 examples/daemon.py [FILE]');
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it('[R1] ends when its token is refused', async () => {
    const stranger = new PythonDaemon(python, 'rt_nobody-knows-this-token');
    await stranger.start(relayUrl());
    expect(await stranger.ended()).toContain('401');
    await stranger.stop();
  });
});
