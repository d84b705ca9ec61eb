import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { during, eventually, freePort, run } from './processes.mjs';

const SECRET = 'a secret of at least 32 bytes for trying out';

/**
 * Does what docs/extending.md tells its reader to do, stage by stage: writes the files, builds, tests, starts, asks.
 * @param stages as `stagesOf` finds them
 * @param folder of the project; hello-api is installed there, or above
 */
export async function tryPage(stages, folder) {
  const [first, last] = stages;
  assert.equal(stages.length, 2, 'the page has a first project, and one with everything');
  writeFiles(first, folder);
  buildAndTest(folder);
  await tryFirst(folder);
  writeFiles(last, folder);
  buildAndTest(folder);
  await tryOwnSessions(folder);
  await tryDaemon(folder);
}

export function writeFiles(files, folder) {
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

function buildAndTest(folder) {
  run('npm', ['run', '--silent', 'build'], { cwd: folder });
  run('npm', ['test', '--silent'], { cwd: folder });
}

/** The first call of the page, with what it prints. */
async function tryFirst(folder) {
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

async function tryOwnSessions(folder) {
  const env = { PORT: String(await freePort()) };
  const { Sessions } = await import(join(folder, 'dist', 'src', 'sessions.js'));
  const token = new Sessions().open('ann');
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

async function tryDaemon(folder) {
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

/** Asks until somebody listens: a start, and a daemon's connection, take their time. */
function asking(folder, env, { signal, path, text, token = tokenOf(folder, env) }) {
  const address = `http://localhost:${env.PORT}${path}`;
  const options = { cwd: folder, env: { ...process.env, TOKEN: token } };
  return eventually(() => run(process.execPath, ['dist/src/ask.js', address, text], options), signal);
}

function tokenOf(folder, env) {
  const { bin } = JSON.parse(readFileSync(join(folder, 'node_modules', 'hello-api', 'package.json'), 'utf8'));
  const hello = join('node_modules', 'hello-api', bin.hello);
  const options = { cwd: folder, env: { ...process.env, ...env } };
  return run(process.execPath, [hello, 'token', 'issue', '--account', 'ann'], options).trim();
}
