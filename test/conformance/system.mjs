// The service and a daemon as users run them: the built program, real files, one assistant, a proxy before it.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SignJWT } from 'jose';
import { startProxy } from './proxy.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const program = join(here, '..', '..', 'bin', 'hello.mjs');
const START_MS = 30_000;
const STOP_MS = 12_000;
const ACCOUNT = 'account-kit';
const API_KEY = `hi_${randomBytes(24).toString('base64url')}`;

/** Where each wire is, and a call that asks whether anybody is there. */
const WIRES = {
  '1.0': {
    endpoint: '/a2a/@kit/assistant',
    runtime: { runtime: 'command', command: [process.execPath, join(here, 'assistant.mjs')] },
    credential: (secret) => accessToken(secret),
    headers: { 'a2a-version': '1.0' },
    method: 'SendMessage',
    message: { role: 'ROLE_USER', parts: [{ text: 'Ready?' }] },
    isReady: (result) => result?.task.status.state === 'TASK_STATE_COMPLETED',
  },
  0.3: {
    endpoint: '/a2a/agent-kit',
    // It asks before it answers: the kit cancels and continues the tasks it has just made, so they may not be over.
    runtime: { runtime: 'workflow', steps: [{ approval: 'Shall I?' }, { reply: 'Hello from the kit.' }] },
    credential: () => API_KEY,
    headers: {},
    method: 'message/send',
    message: { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'Ready?' }] },
    isReady: (result) => result?.status.state === 'input-required',
  },
};

/**
 * @param {{ wire: '1.0' | '0.3', distinctIds: boolean }} options which endpoint the kit is led to, and whether the proxy
 *   gives every message an id of its own
 * @returns {Promise<{ url: string, close: () => Promise<void> }>} the address that the kit is given
 */
export async function startSystem({ wire, distinctIds }) {
  const dir = mkdtempSync(join(tmpdir(), 'hello-conformance-'));
  const logFile = join(dir, 'programs.log');
  const log = openSync(logFile, 'a', 0o600);
  const secret = randomBytes(32).toString('base64url');
  const relayToken = `rt_${randomBytes(24).toString('base64url')}`;
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const { endpoint, credential } = WIRES[wire];
  const token = await credential(secret);
  const proxy = await startProxy({ upstream: base, endpoint, token, distinctIds });
  const stops = [];
  const close = async () => {
    for (const stop of stops.reverse()) await stop();
    await proxy.close();
    closeSync(log);
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    writeFileSync(join(dir, 'directory.yaml'), JSON.stringify(directory(relayToken)));
    writeFileSync(join(dir, 'daemon.yaml'), JSON.stringify(daemonConfig(WIRES[wire].runtime)));
    stops.push(start(['serve'], settings({ dir, port, secret, publicUrl: proxy.url }), log));
    await until(async () => (await fetch(`${base}/readyz`)).ok, 'the service did not become ready');
    const relay = `${base.replace('http', 'ws')}/relay`;
    const args = ['--url', relay, '--config', join(dir, 'daemon.yaml'), '--data', join(dir, 'daemon')];
    stops.push(start(['daemon', ...args], { HELLO_RELAY_TOKEN: relayToken }, log));
    await until(() => answers(proxy.url, WIRES[wire]), 'the assistant did not answer');
    return { url: proxy.url, close };
  } catch (error) {
    console.error(readFileSync(logFile, 'utf8'));
    await close();
    throw error;
  }
}

function settings({ dir, port, secret, publicUrl }) {
  return {
    HOST: '127.0.0.1',
    PORT: String(port),
    // Cards name the proxy, so that the kit's calls pass through it.
    PUBLIC_BASE_URL: publicUrl,
    A2A_STORE_PATH: join(dir, 'a2a.sqlite'),
    DIRECTORY_FILE: join(dir, 'directory.yaml'),
    ACCOUNT_JWT_SECRET: secret,
    A2A_MESSAGES_PER_HOUR: '100000',
    A2A_RPC_PER_MINUTE: '100000',
  };
}

function accessToken(secret) {
  const token = new SignJWT().setProtectedHeader({ alg: 'HS256' }).setSubject(ACCOUNT);
  return token.setIssuedAt().setExpirationTime('1h').sign(new TextEncoder().encode(secret));
}

function directory(relayToken) {
  return {
    accounts: [{ id: ACCOUNT, username: 'kit' }],
    computers: [{ id: 'computer-kit', account: ACCOUNT, relayToken }],
    agents: [
      {
        id: 'agent-kit',
        account: ACCOUNT,
        computer: 'computer-kit',
        handle: 'assistant',
        visibility: 'public',
        name: 'Conformance assistant',
        description: 'Answers the conformance kit.',
      },
    ],
    apiKeys: [{ account: ACCOUNT, key: API_KEY }],
  };
}

function daemonConfig(assistant) {
  return { concurrency: 8, queueLimit: 1000, agents: { assistant } };
}

/** @returns a function that stops the program and waits for its end */
function start(args, env, log) {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', log, log],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return async () => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(timer);
  };
}

async function answers(url, { endpoint, headers, method, message, isReady }) {
  const params = { message: { messageId: `ready-${randomBytes(8).toString('hex')}`, ...message } };
  const answer = await fetch(url + endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return isReady((await answer.json()).result);
}

async function until(condition, complaint) {
  for (const deadline = Date.now() + START_MS; Date.now() < deadline;) {
    if (await condition().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(complaint);
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
