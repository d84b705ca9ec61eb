// Boots the built program as a user would and asks it three questions. The tests compile each file on their own,
// to CommonJS; only this sees whether the real modules load in an order that works.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const START_MS = 30_000;
const STOP_MS = 12_000;

const dir = mkdtempSync(join(tmpdir(), 'hello-smoke-'));
const port = await freePort();
const base = `http://127.0.0.1:${port}`;
const server = spawn(process.execPath, [join(root, 'bin', 'hello.mjs'), 'serve'], {
  env: {
    PATH: process.env.PATH,
    PORT: String(port),
    HOST: '127.0.0.1',
    A2A_STORE_PATH: join(dir, 'a2a.sqlite'),
    ACCOUNT_JWT_SECRET: 'smoke-test-secret-of-at-least-32-characters',
  },
});
let output = '';
for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => (output += chunk));
const exited = new Promise((resolve) => server.on('exit', (code, signal) => resolve(code ?? signal)));

try {
  await ready();
  await expectStatus('/healthz', 200);
  await expectStatus('/readyz', 200);
  await expectStatus('/.well-known/agent-card.json', 404);
  server.kill('SIGTERM');
  const code = await within(exited, STOP_MS, 'the server did not stop after SIGTERM');
  if (code !== 0) throw new Error(`the server ended with ${code}`);
  console.log('smoke: starts, answers, stops');
} catch (error) {
  console.error(`smoke: ${error.message}\n${output}`);
  process.exitCode = 1;
} finally {
  server.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
}

async function ready() {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`);
    const answer = await fetch(`${base}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the server did not become ready');
}

async function expectStatus(path, status) {
  const answer = await fetch(base + path);
  if (answer.status !== status) throw new Error(`${path} answered ${answer.status} instead of ${status}`);
}

async function within(promise, ms, complaint) {
  const timer = setTimeout(() => server.kill('SIGKILL'), ms);
  try {
    const code = await promise;
    if (code === 'SIGKILL') throw new Error(complaint);
    return code;
  } finally {
    clearTimeout(timer);
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port: found } = probe.address();
      probe.close(() => resolve(found));
    });
  });
}
