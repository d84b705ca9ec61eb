import { messageText, type Message } from '../a2a/index.js';
import type { TaskReport } from './task.js';

/** A task as it is handed to the daemon. */
export interface JobOrder {
  taskId: string;
  computerId: string;
  handle: string;
  contextId: string;
  /** The caller; the job never carries owner authority (requirement H5). */
  accountId: string;
  interactive: boolean;
  /** What the message says, and what came with it; parts and roles are the API's business. */
  message: { messageId: string; text: string; metadata?: Record<string, unknown> };
  createdAtMs: number;
  expiresAtMs: number;
  /** The trace that the job belongs to (W3C Trace Context), where the caller has one. */
  traceparent?: string;
  /** Names the caller's request; for lines of the log. */
  requestId?: string | undefined;
}

/** A message as a daemon gets it. */
export function jobMessageOf({ messageId, metadata, ...message }: Message): JobOrder['message'] {
  return { messageId, text: messageText(message), ...(metadata && { metadata }) };
}

export type SubmitOutcome =
  /** The job is on the daemon's disk. */
  | { kind: 'accepted'; report: TaskReport }
  /** The job was certainly not taken: offline, queue full, draining, unknown agent … */
  | { kind: 'refused'; reason: string }
  /** Written to the socket and unanswered; only a status question may settle it. */
  | { kind: 'uncertain' };

export type StatusAnswer = { kind: 'reported'; report: TaskReport } | { kind: 'unknown'; taskId: string };

/** An answer to a question of a job. */
export interface JobInput {
  taskId: string;
  computerId: string;
  message: JobOrder['message'];
  /** Names the caller's request, if there is one; for lines of the log. */
  requestId?: string | undefined;
}

export type InputOutcome =
  /** The daemon has the answer, now or from an earlier delivery. */
  | { kind: 'reported'; report: TaskReport }
  /** The answer was certainly not taken: offline, or the line is full. */
  | { kind: 'not_sent' }
  /** The job does not wait for an answer. */
  | { kind: 'not_waiting' }
  /** Written to the socket and unanswered. It may be delivered again, since daemons take a messageId once. */
  | { kind: 'uncertain' };

export type CancelOutcome =
  | { kind: 'reported'; report: TaskReport }
  | { kind: 'unknown' }
  /** Offline, refused or silent: nothing may be confirmed (requirement G5). */
  | { kind: 'unreachable' };

/**
 * The computers on which jobs run. The rules, for any implementation; `JOB_EXECUTOR_RULES` of `hello-api/testing` proves them as far
 * as one computer that can be reached and one that cannot can show them:
 *
 * - A job is known under the id of its task, and a submission is never repeated by the executor itself.
 * - Reports have revisions from 1, which rise with every change of the job and never fall.
 * - What is not certain is not said: `refused`, `not_sent` and `unknown` are certainties, `uncertain` and `unreachable` are not.
 * - Every promise settles within the time-outs of the settings and never rejects for reasons of the network.
 *
 * What an implementation throws, or answers in another form, is logged with its class and says nothing about the job: `submit` and
 * `answer` are `uncertain` then (the task stays as it is, and reconciliation finds out), `status` has no answer, `cancel` is
 * `unreachable` (503), and a computer of which `isAvailable` answers neither true nor false is not available (503).
 */
export abstract class JobExecutor {
  /** Whether a job could be handed to the computer now: connected, capable, not draining. */
  abstract isAvailable(computerId: string): boolean;
  /** Hands a job over, once; a computer that is not there refuses it (requirement S8). */
  abstract submit(order: JobOrder): Promise<SubmitOutcome>;
  /**
   * Asks about jobs, at most 50 at a time.
   * @param patience `short` for a caller who waits (GetTask), `long` for reconciliation
   * @returns an answer for every job, in any order; `undefined` when the computer is offline or did not answer in time
   */
  abstract status(
    computerId: string,
    taskIds: string[],
    patience: 'short' | 'long',
  ): Promise<StatusAnswer[] | undefined>;
  /**
   * Asks for the end of a job; the report says what became of it, which may still be `working` (requirement G5).
   * @param requestId names the caller's request; for lines of the log
   */
  abstract cancel(computerId: string, taskId: string, requestId?: string): Promise<CancelOutcome>;
  /** Hands over the answer to a question (requirement P6). */
  abstract answer(input: JobInput): Promise<InputOutcome>;
  /** Tells a computer, if it is connected, that results are no longer needed. Best effort, and never an error. */
  abstract forget(computerId: string, taskIds: string[]): void;
}
