import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCode } from '../error-code.js';
import type { ReplyText } from './reply-text.js';

/** Between the polite and the final end of a process group. */
const KILL_GRACE_MS = 2000;
/** How long output may still arrive after the program itself has ended and its group was killed. */
const DRAIN_MS = 1000;
const KEPT_ERROR_BYTES = 4096;
const MAX_ERROR_LINE = 500;

export interface ProgramCall {
  argv: readonly [string, ...string[]];
  cwd: string;
  environment: Readonly<Record<string, string>>;
  stdin: string;
  /** Takes standard output as it comes. */
  output: ReplyText;
  signal: AbortSignal;
  killGraceMs?: number;
}

export type ProgramEnd =
  | { kind: 'exited'; code: number; lastErrorLine: string }
  | { kind: 'killed'; signal: string; lastErrorLine: string }
  | { kind: 'not_started'; code: string };

/**
 * Runs a program without a shell, in a process group of its own. When the promise settles, the whole group is gone:
 * on abort it gets SIGTERM and, after the grace, SIGKILL; what is left of it after a normal end is killed as well.
 */
export async function runProgram(call: ProgramCall): Promise<ProgramEnd> {
  const [file, ...args] = call.argv;
  if (call.signal.aborted) return { kind: 'killed', signal: 'SIGTERM', lastErrorLine: '' };
  let child: ChildProcessWithoutNullStreams;
  try {
    child = spawn(file, args, { cwd: call.cwd, env: { ...call.environment }, detached: true, stdio: 'pipe' });
  } catch (error) {
    return { kind: 'not_started', code: errorCode(error) ?? 'unknown' };
  }
  const group = child.pid;
  if (group === undefined) {
    const [error] = (await once(child, 'error')) as [unknown];
    return { kind: 'not_started', code: errorCode(error) ?? 'unknown' };
  }
  child.on('error', () => undefined);
  feed(child, call.stdin);
  const errors = readErrors(child);
  readOutput(child, call.output);
  const ended = new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.once('exit', (...end) => resolve(end));
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  const stopWatching = stopOnAbort(group, call.signal, call.killGraceMs ?? KILL_GRACE_MS);
  const [code, signal] = await ended;
  stopWatching();
  await endGroup(group);
  await Promise.race([closed, pause(DRAIN_MS, undefined, { ref: false })]);
  child.stdout.destroy();
  child.stderr.destroy();
  const lastErrorLine = errors();
  return code === null
    ? { kind: 'killed', signal: signal ?? 'a signal', lastErrorLine }
    : { kind: 'exited', code, lastErrorLine };
}

/** A program need not read its input: a broken pipe is no fault. */
function feed(child: ChildProcessWithoutNullStreams, text: string): void {
  child.stdin.on('error', () => undefined);
  child.stdin.end(text, 'utf8');
}

function readOutput(child: ChildProcessWithoutNullStreams, output: ReplyText): void {
  // Decodes over the borders of chunks, so that no character is torn.
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text: string) => output.push(text));
  child.stdout.on('error', () => undefined);
}

/** What Node prints after the message of an error that nobody caught: frames of the stack, and its version. */
const SAYS_NOTHING = /^\s+at\s.+|^Node\.js v\d/;

function readErrors(child: ChildProcessWithoutNullStreams): () => string {
  let tail = Buffer.alloc(0);
  child.stderr.on('data', (bytes: Buffer) => {
    tail = Buffer.from(Buffer.concat([tail, bytes]).subarray(-KEPT_ERROR_BYTES));
  });
  child.stderr.on('error', () => undefined);
  return () => {
    const lines = tail.toString('utf8').split(/\r?\n/);
    const last = lines.findLast((line) => line.trim() !== '' && !SAYS_NOTHING.test(line)) ?? '';
    return last.trim().slice(0, MAX_ERROR_LINE);
  };
}

function stopOnAbort(group: number, signal: AbortSignal, graceMs: number): () => void {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    killGroup(group, 'SIGTERM');
    timer = setTimeout(() => killGroup(group, 'SIGKILL'), graceMs);
  };
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  return () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  };
}

/** Kills what the program left behind and waits until it is gone; a corpse that nobody reaps must not hold the job. */
async function endGroup(group: number): Promise<void> {
  for (let attempt = 0; attempt < 25 && killGroup(group, 'SIGKILL'); attempt += 1) await pause(20);
}

/** @returns false when the group does not exist any more */
function killGroup(group: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch {
    return false;
  }
}
