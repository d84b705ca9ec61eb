import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { EXECUTORS, type Script } from '../support/executors.js';
import { ADDRESSES, newMessage, until, type TestApi } from '../support/test-api.js';

const ROOT = join(__dirname, '..', '..');
const INTERNALS =
  /sqlite|\btasks\b.*\bcolumn|no such table|\bselect\b|\binsert\b|readonly|\/srv\/|\n\s+at |\.[jt]s:\d/i;

/** Another program that has the database file open; it runs one statement a line of its input, and says so. */
class OtherProgram {
  private readonly child: ChildProcess;
  private output = '';

  constructor(folder: string) {
    const script = `
      const { Database } = require('sqlite3');
      const database = new Database(process.argv[1]);
      require('node:readline').createInterface({ input: process.stdin }).on('line', (sql) =>
        database.all(sql, (error) => console.log(error ? error.message : 'done')));`;
    const path = join(folder, 'data', 'a2a.sqlite');
    this.child = spawn(process.execPath, ['-e', script, path], {
      cwd: ROOT,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
  }

  async run(sql: string): Promise<void> {
    this.output = '';
    (this.child.stdin as Writable).write(`${sql}\n`);
    await until(`the other program ran ${sql}`, () => this.output.endsWith('\n'));
    if (this.output !== 'done\n') throw new Error(this.output);
  }

  async end(): Promise<void> {
    this.child.kill();
    await once(this.child, 'close');
  }
}

describe.each(EXECUTORS)('trouble with the database, %s', (_name, start) => {
  let api: TestApi;
  let daemon: Script;
  let ends: boolean;
  let other: OtherProgram;

  beforeEach(async () => {
    ends = true;
    ({ api, daemon } = await start({
      onSubmit: ({ params }, own) => {
        if (ends) setImmediate(() => void own.complete(params.jobId));
      },
    }));
    other = new OtherProgram(api.folder);
  });
  afterEach(async () => {
    await other.end();
    await api.close();
  });

  const send = () =>
    api.rpc(ADDRESSES.helper, 'SendMessage', {
      message: newMessage(),
      configuration: { returnImmediately: true },
    });

  it('[B146] [B141] waits for another program that holds the database for three seconds, and loses nothing', async () => {
    const before = await api.send();
    await other.run('BEGIN IMMEDIATE');
    const sends = Array.from({ length: 20 }, send);
    const releasing = new Promise((resolve) => setTimeout(resolve, 3_000)).then(() => other.run('COMMIT'));
    expect((await api.getTask(before.id)).id).toBe(before.id);
    for (const answer of await Promise.all(sends)) {
      expect(answer).toMatchObject({ status: 200, body: { result: { task: { id: expect.any(String) } } } });
    }
    await releasing;
    expect((await api.rpc(ADDRESSES.helper, 'ListTasks', {})).body.result.totalSize).toBe(21);
  });

  it('[B146] [G3] reads a list with a further page while another program holds the database, the first one as well', async () => {
    await api.send();
    await api.send();
    await other.run('BEGIN IMMEDIATE');
    const page = await api.rpc(ADDRESSES.helper, 'ListTasks', { pageSize: 1 });
    expect(page).toMatchObject({ status: 200, body: { result: { totalSize: 2 } } });
    expect(page.body.result.nextPageToken).not.toBe('');
    await other.run('COMMIT');
  });

  it('[B146] [K3] takes messages and answers while another program reads for long', async () => {
    await api.send();
    await other.run('BEGIN');
    await other.run('SELECT count(*) FROM tasks');
    const answers = await Promise.all(Array.from({ length: 50 }, send));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    for (const { body } of answers) expect(await api.getTask(body.result.task.id)).toBeDefined();
    await other.run('COMMIT');
  });

  it.each([
    [
      'a write is refused',
      "CREATE TRIGGER no BEFORE INSERT ON tasks BEGIN SELECT RAISE(ABORT, 'attempt to write a readonly database /srv/data'); END",
    ],
    ['the tables are gone', 'ALTER TABLE tasks RENAME TO other_tasks'],
  ])('[B15] [W4] says nothing of the database when %s, and keeps nothing', async (_, sql) => {
    await other.run(sql);
    const answer = await send();
    expect(answer.text).not.toMatch(INTERNALS);
    if (answer.status === 200) {
      expect(answer.body.error).toEqual({
        code: -32603,
        message: 'Internal error',
        data: [
          {
            '@type': 'type.googleapis.com/google.rpc.RequestInfo',
            requestId: answer.headers['x-request-id'],
          },
        ],
      });
    } else expect(answer).toMatchObject({ status: 503, body: { error: expect.any(String) } });
  });

  it('[B15] shows no stack and no path of a daemon that fails with both', async () => {
    ends = false;
    const task = await api.send();
    await daemon.report(task.id, 'failed', {
      statusText: 'Error: boom\n    at run (/home/ann/secret/job.js:12:3)\n    at node:internal/process:1:1',
    });
    const { status } = await api.getTask(task.id);
    expect(status.state).toBe('TASK_STATE_FAILED');
    expect(status.message.parts[0].text).toContain('boom');
    expect(JSON.stringify(status)).not.toMatch(/\/home\/ann|job\.js|node:internal/);
  });
});
