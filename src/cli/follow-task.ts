import { setTimeout as delay } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { ConnectionError, type A2ACaller, type WireTask } from './a2a-caller.js';
import { CliError, ExitCode } from './cli-error.js';

export interface Following {
  /** Called with each state as it is seen, also when it is the same as before. */
  show: (text: string) => void;
  waitMs: number;
  /** Ends the watching; the task goes on. */
  signal: AbortSignal;
}

const SEND_ATTEMPTS = 3;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2000;

const OUTCOMES: Record<string, ExitCode> = {
  TASK_STATE_COMPLETED: ExitCode.ok,
  TASK_STATE_FAILED: ExitCode.taskFailed,
  TASK_STATE_REJECTED: ExitCode.taskRejected,
  TASK_STATE_CANCELED: ExitCode.taskCanceled,
};

/** The exit code of a terminal task; `undefined` while it is open. */
export function outcomeOf(task: WireTask): ExitCode | undefined {
  return Object.hasOwn(OUTCOMES, task.status.state) ? OUTCOMES[task.status.state] : undefined;
}

/** `TASK_STATE_INPUT_REQUIRED` → `input required`. */
export function stateWords(task: WireTask): string {
  return task.status.state
    .replace(/^TASK_STATE_/, '')
    .replaceAll('_', ' ')
    .toLowerCase();
}

/**
 * Sends a text; repeats it when the answer was lost. The message id sees to it that one task comes of it.
 * @throws CliError when it was refused, ConnectionError when no attempt was answered
 */
export async function sendOnce(caller: A2ACaller, text: string, contextId?: string): Promise<WireTask> {
  const message = { messageId: randomUUID(), ...(contextId === undefined ? {} : { contextId }) };
  for (let attempt = 1; ; attempt++) {
    try {
      return await caller.send(text, message);
    } catch (error) {
      if (!(error instanceof ConnectionError) || attempt === SEND_ATTEMPTS) throw error;
      await delay(FIRST_PAUSE_MS * attempt);
    }
  }
}

/**
 * Asks for a task until it is at its end, the time is up, or the signal says stop.
 * @returns the task as it was seen last
 * @throws CliError naming the task when the service refuses to answer
 */
export async function followTask(caller: A2ACaller, sent: WireTask, following: Following): Promise<WireTask> {
  const { show, waitMs, signal } = following;
  const until = Date.now() + waitMs;
  let task = sent;
  let pauseMs = FIRST_PAUSE_MS;
  show(`${stateWords(task)}  task ${task.id}`);
  while (outcomeOf(task) === undefined && !signal.aborted && Date.now() < until) {
    await delay(Math.min(pauseMs, until - Date.now()), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS);
    try {
      task = await caller.get(task.id);
      show(`${stateWords(task)}  task ${task.id}`);
    } catch (error) {
      // The task lives on without this connection: while there is time left, ask again.
      if (!(error instanceof ConnectionError) || Date.now() >= until) throw withTaskId(error, task.id);
      show(`no answer, asking again  task ${task.id}`);
    }
  }
  return task;
}

function withTaskId(error: unknown, taskId: string): unknown {
  return error instanceof CliError ? new CliError(`${error.message}; task ${taskId}`, error.exitCode) : error;
}
