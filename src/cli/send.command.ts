import { text as readAll } from 'node:stream/consumers';
import { A2ACaller, explanationOf, replyOf, type WireTask } from './a2a-caller.js';
import { endpointOf } from './address.js';
import { CliError, ExitCode } from './cli-error.js';
import { parseSeconds } from './duration.js';
import { followTask, outcomeOf, sendOnce, stateWords } from './follow-task.js';
import { startProgress } from './progress.js';
import { listenForStop } from './stop-signal.js';
import type { Terminal } from './terminal.js';

export interface SendOptions {
  base?: string;
  token?: string;
  context?: string;
  wait: string;
}

/**
 * `hello send`: sends a text (`-`: what stands on stdin), follows the task and prints the reply alone on stdout.
 * @returns the exit code that tells the outcome
 * @throws CliError when the message could not be sent or the task not be followed
 */
export async function sendCommand(
  address: string,
  text: string,
  options: SendOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const base = options.base ?? terminal.env.HELLO_BASE_URL ?? 'http://localhost:3000';
  const token = accessToken(options.token ?? terminal.env.HELLO_ACCESS_TOKEN);
  const waitMs = parseSeconds(options.wait, '--wait') * 1000;
  const caller = new A2ACaller(endpointOf(address, base), token);
  const message = text === '-' ? await readAll(process.stdin) : text;

  const stop = listenForStop();
  const progress = startProgress(terminal);
  try {
    progress.show('sending');
    const sent = await sendOnce(caller, message, options.context);
    const task = await followTask(caller, sent, { show: progress.show, waitMs, signal: stop.signal });
    progress.end();
    return report(task, stop.signal.aborted, terminal);
  } finally {
    progress.end();
    stop.dispose();
  }
}

/** Checked before it is used: the error of a request that cannot carry it would quote it (requirement H2). */
function accessToken(given: string | undefined): string {
  const token = given?.trim();
  if (!token) throw new CliError('an access token is needed: set HELLO_ACCESS_TOKEN or give --token');
  if (/^[\x20-\x7e\x80-\xff]+$/.test(token)) return token;
  throw new CliError(
    'the access token (HELLO_ACCESS_TOKEN or --token) has characters that a header cannot carry',
    ExitCode.notAuthorized,
  );
}

function report(task: WireTask, interrupted: boolean, terminal: Terminal): ExitCode {
  const outcome = outcomeOf(task);
  if (outcome === ExitCode.ok) {
    terminal.out(replyOf(task));
    return outcome;
  }
  const state = stateWords(task);
  if (outcome !== undefined) {
    const explanation = explanationOf(task);
    terminal.note(`task ${task.id} ${state}${explanation ? `: ${explanation}` : ''}`);
    return outcome;
  }
  terminal.note(
    `stopped watching; the work goes on as task ${task.id} (${state}, context ${task.contextId})`,
  );
  return interrupted ? ExitCode.interrupted : ExitCode.stillOpen;
}
