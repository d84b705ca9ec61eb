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
}

export type SubmitOutcome =
  /** The job is on the daemon's disk. */
  | { kind: 'accepted'; report: TaskReport }
  /** The job was certainly not taken: offline, queue full, draining, unknown agent … */
  | { kind: 'refused'; reason: string }
  /** Written to the socket and unanswered; only a status question may settle it. */
  | { kind: 'uncertain' };

export type StatusAnswer = { kind: 'reported'; report: TaskReport } | { kind: 'unknown'; taskId: string };

export type CancelOutcome =
  | { kind: 'reported'; report: TaskReport }
  | { kind: 'unknown' }
  /** Offline, refused or silent: nothing may be confirmed (requirement G5). */
  | { kind: 'unreachable' };

/**
 * The computers on which jobs run. Implementations never repeat a submission on their own; every promise
 * settles within the time-outs of the settings and never rejects for reasons of the network.
 */
export abstract class JobExecutor {
  /** Whether a job could be handed to the computer now: connected, capable, not draining. */
  abstract isAvailable(computerId: string): boolean;
  abstract submit(order: JobOrder): Promise<SubmitOutcome>;
  /**
   * Asks about jobs, at most 50 at a time.
   * @param patience `short` for a caller who waits (GetTask), `long` for reconciliation
   * @returns `undefined` when the computer is offline or did not answer in time
   */
  abstract status(
    computerId: string,
    taskIds: string[],
    patience: 'short' | 'long',
  ): Promise<StatusAnswer[] | undefined>;
  abstract cancel(computerId: string, taskId: string): Promise<CancelOutcome>;
  /** Tells a computer, if it is connected, that results are no longer needed. Best effort. */
  abstract forget(computerId: string, taskIds: string[]): void;
}
