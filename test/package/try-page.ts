import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PageFiles } from './page-stages.js';
import { during, eventually, freePort, run } from './processes.js';

const SECRET = 'a secret of at least 32 bytes for trying out';

interface Environment extends Record<string, string> {
  PORT: string;
}

interface Question {
  /** Of the assistant. */
  path: string;
  text: string;
  /** One of the service's own, if absent. */
  token?: string;
  /** Aborted when nobody will answer any more. */
  signal: AbortSignal;
}

/**
 * Does what docs/extending.md tells its reader to do, stage by stage: writes the files, builds, tests, starts, asks.
 * @param stages as `stagesOf` finds them
 * @param folder of the project, with hello-api installed
 */
export async function tryPage(stages: PageFiles[], folder: string): Promise<void> {
  const [first, last] = stages;
  assert.ok(first && last && stages.length === 2, 'the page has a first project, and one with everything');
  writeFiles(first, folder);
  buildAndTest(folder);
  await tryFirst(folder);
  writeFiles(last, folder);
  buildAndTest(folder);
  await tryOwnSessions(folder);
  await tryDaemon(folder);
}

export function writeFiles(files: PageFiles, folder: string): void {
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

function buildAndTest(folder: string): void {
  run('npm', ['run', '--silent', 'build'], { cwd: folder });
  run('npm', ['test', '--silent'], { cwd: folder });
}

/** The first call of the page, with what it prints. */
async function tryFirst(folder: string): Promise<void> {
  const env = { PORT: String(await freePort()), ACCOUNT_JWT_SECRET: SECRET };
  await during({ file: 'dist/src/main.js', cwd: folder, env }, async (signal) => {
    const reply = await asking(folder, env, {
      signal,
      path: '/assistants/a2a/@shop/orders',
      text: '2 chairs',
    });
    assert.equal(reply, 'Order 1: 2 chairs. It is kept as a draft.\n');
  });
}

async function tryOwnSessions(folder: string): Promise<void> {
  const env = { PORT: String(await freePort()) };
  const print = "import { Sessions } from './dist/src/sessions.js'; console.log(new Sessions().open('ann'))";
  const token = run(process.execPath, ['--input-type=module', '--eval', print], { cwd: folder }).trim();
  await during({ file: 'dist/src/main.js', cwd: folder, env }, async (signal) => {
    const reply = await asking(folder, env, {
      signal,
      path: '/assistants/a2a/@shop/orders',
      text: 'a rug',
      token,
    });
    assert.equal(reply, 'Order 1: a rug. It is kept as a draft.\n');
  });
}

async function tryDaemon(folder: string): Promise<void> {
  const port = String(await freePort());
  const env = {
    PORT: port,
    ACCOUNT_JWT_SECRET: SECRET,
    A2A_STORE_PATH: './served/a2a.sqlite',
    DIRECTORY_FILE: 'directory.yaml',
    RELAY_URL: `ws://localhost:${port}/relay`,
  };
  await during({ file: 'dist/src/serve.js', cwd: folder, env }, () =>
    during({ file: 'dist/src/daemon.js', cwd: folder, env }, async (signal) => {
      const reply = await asking(folder, env, { signal, path: '/a2a/@alice/helper', text: 'hello' });
      assert.equal(reply, 'HELLO\n');
    }),
  );
}

/** Asks until somebody answers: a start, and a daemon's connection, take their time. */
async function asking(
  folder: string,
  env: Environment,
  { signal, path, text, token = tokenOf(folder, env) }: Question,
): Promise<string> {
  const address = `http://localhost:${env.PORT}${path}`;
  const options = { cwd: folder, env: { ...process.env, TOKEN: token } };
  await eventually(() => fetch(address, { method: 'HEAD' }), signal);
  return eventually(() => run(process.execPath, ['dist/src/ask.js', address, text], options), signal);
}

function tokenOf(folder: string, env: Environment): string {
  const args = ['--no-install', 'hello', 'token', 'issue', '--account', 'ann'];
  return run('npx', args, { cwd: folder, env: { ...process.env, ...env } }).trim();
}
