import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Generous, for machines that do much else at the time. */
const DEADLINE_MS = 120_000;
const STOP_MS = 30_000;
const RETRY_MS = 500;
/** What hangs must not hang for ever. */
const RUN_MS = 600_000;

/** Where a program runs, and with what environment besides. */
export interface Place {
  cwd: string;
  env?: Readonly<Record<string, string | undefined>>;
}

/**
 * Runs a program to its end.
 * @returns what it printed
 * @throws Error with all of its output when it fails
 */
export function run(command: string, args: string[], { cwd, env = process.env }: Place): string {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    timeout: RUN_MS,
    shell: isWindows(command),
  });
  if (status === 0) return stdout;
  throw new Error(
    `${command} ${args.join(' ')} failed in ${cwd}:\n${error?.message ?? ''}${stdout}\n${stderr}`,
  );
}

/**
 * Does work while a program of Node's runs, and stops it after.
 * @param work gets a signal that is aborted when the program ends by itself
 * @throws Error with all that the program printed when the work fails
 */
export async function during<T>(
  { file, cwd, env }: Place & { file: string },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const child = spawn(process.execPath, [file], { cwd, env: { ...process.env, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
  const gone = new AbortController();
  const ended = new Promise((resolve) => child.once('close', resolve)).then(() => gone.abort());
  try {
    return await work(gone.signal);
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${file} printed:\n${output}`, { cause: error });
  } finally {
    child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(force);
  }
}

/** Tries again until it does not throw; throws what came last when the time is over, or the signal says that it is in vain. */
export async function eventually<T>(attempt: () => T | Promise<T>, signal: AbortSignal): Promise<T> {
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (signal.aborted || Date.now() > deadline) throw error;
      await delay(RETRY_MS);
    }
  }
}

/** @returns a port that was free a moment ago */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** On Windows npm and npx are scripts that only a shell can start. */
function isWindows(command: string): boolean {
  return process.platform === 'win32' && command.startsWith('np');
}
