import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { A2ACaller, explanationOf, replyOf } from './a2a-caller.js';
import { ChildProgram } from './child-program.js';
import { CliError, ExitCode } from './cli-error.js';
import { DEMO_ACCOUNT, prepareDemoFiles, type DemoFiles } from './demo-files.js';
import { demoGuide } from './demo-guide.js';
import { followTask, outcomeOf, sendOnce } from './follow-task.js';
import { projectFile } from './program-root.js';
import { listenForStop } from './stop-signal.js';
import type { Terminal } from './terminal.js';

export interface DemoOptions {
  once?: boolean;
  data: string;
}

interface Demo {
  base: string;
  port: number;
  dir: string;
  files: DemoFiles;
  token: string;
}

const HOST = '127.0.0.1';
const START_MS = 30_000;
const ANSWER_MS = 30_000;
const TOKEN_SECONDS = 7 * 86_400;
const GREETING = 'Hello, is anybody there?';

/**
 * `hello demo`: API and daemon as processes of their own on this machine, sample assistants, and a first message
 * through the real endpoint; then up until Ctrl-C, or with `--once` done after the answer (requirement O4).
 * @returns the exit code by the first task's outcome
 */
export async function demoCommand(options: DemoOptions, terminal: Terminal): Promise<ExitCode> {
  const stop = listenForStop();
  const children: ChildProgram[] = [];
  let answered = false;
  try {
    const demo = await prepare(options, terminal);
    const running = (async () => {
      await startChildren(demo, children, terminal);
      const outcome = await firstMessage(demo, stop.signal, terminal);
      answered = true;
      if (options.once || outcome !== ExitCode.ok) return outcome;
      terminal.out(demoGuide({ ...demo, linkKey: demo.files.linkKey, apiKey: demo.files.apiKey }));
      terminal.note('Running. Ctrl-C stops it.');
      await untilChildEnds(children);
      return outcome;
    })();
    const stopped = stop.stopped.then(() => (answered ? ExitCode.ok : ExitCode.interrupted));
    return await Promise.race([running, stopped]);
  } finally {
    if (stop.signal.aborted) terminal.note('Stopping …');
    // The daemon first: the API still takes its last results.
    for (const child of children.reverse()) await child.stop();
    stop.dispose();
  }
}

async function prepare(options: DemoOptions, terminal: Terminal): Promise<Demo> {
  const port = readPort(terminal.env.PORT);
  await requireFreePort(port);
  const dir = resolve(options.data);
  const files = prepareDemoFiles(dir, projectFile('examples/upper.mjs'));
  const { signAccountToken } = await import('../accounts/index.js');
  const token = await signAccountToken({
    secret: files.jwtSecret,
    accountId: DEMO_ACCOUNT,
    ttlSeconds: TOKEN_SECONDS,
  });
  return { base: `http://${HOST}:${port}`, port, dir, files, token };
}

function readPort(text: string | undefined): number {
  if (text === undefined || text === '') return 3000;
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new CliError('PORT must be a number between 1 and 65535');
  return port;
}

async function requireFreePort(port: number): Promise<void> {
  const probe = createServer();
  try {
    await new Promise<void>((done, fail) => {
      probe.once('error', fail);
      probe.listen(port, HOST, done);
    });
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? 'is taken' : 'cannot be used';
    throw new CliError(`port ${port} ${reason}; choose another, for example PORT=3001 npm run demo`);
  } finally {
    probe.close();
  }
}

async function startChildren(demo: Demo, children: ChildProgram[], terminal: Terminal): Promise<void> {
  const { files, base, port, dir } = demo;
  const shared = { PATH: terminal.env.PATH ?? '', HOME: terminal.env.HOME ?? '' };
  const program = projectFile('bin/hello.mjs');
  const api = new ChildProgram(program, {
    name: 'the API',
    args: ['serve'],
    cwd: dir,
    logFile: files.logs.api,
    env: {
      ...shared,
      HOST,
      PORT: String(port),
      PUBLIC_BASE_URL: base,
      A2A_STORE_PATH: files.storePath,
      DIRECTORY_FILE: files.directoryFile,
      ACCOUNT_JWT_SECRET: files.jwtSecret,
    },
  });
  children.push(api);
  await api.printed(/hello-api listens on/, START_MS);
  terminal.note(`API     up at ${base}`);
  const url = `${base.replace(/^http/, 'ws')}/relay`;
  const daemon = new ChildProgram(program, {
    name: 'the daemon',
    args: ['daemon', '--url', url, '--config', files.daemonFile, '--data', files.daemonDir],
    cwd: dir,
    logFile: files.logs.daemon,
    env: { ...shared, HELLO_RELAY_TOKEN: files.relayToken },
  });
  children.push(daemon);
  await daemon.printed(/hello daemon is connected/, START_MS);
  terminal.note('Daemon  connected');
}

async function firstMessage(demo: Demo, signal: AbortSignal, terminal: Terminal): Promise<ExitCode> {
  const caller = new A2ACaller(`${demo.base}/a2a/@demo/echo`, demo.token);
  terminal.note(`\nTo @demo/echo: ${GREETING}`);
  const startedAt = performance.now();
  const sent = await sendOnce(caller, GREETING);
  const task = await followTask(caller, sent, { show: () => undefined, waitMs: ANSWER_MS, signal });
  const elapsedMs = Math.round(performance.now() - startedAt);
  terminal.out(`Task   ${task.id}`);
  terminal.out(`State  ${task.status.state}, after ${elapsedMs} ms`);
  const outcome = outcomeOf(task);
  if (outcome === ExitCode.ok) terminal.out(`Reply  ${replyOf(task)}`);
  else terminal.note(`No reply: ${explanationOf(task) || 'the task is not finished'}`);
  return outcome ?? ExitCode.stillOpen;
}

/** @throws CliError as soon as one of the programs ends on its own */
async function untilChildEnds(children: ChildProgram[]): Promise<never> {
  return Promise.race(
    children.map(async (child) => {
      throw child.failure(await child.ended);
    }),
  );
}
