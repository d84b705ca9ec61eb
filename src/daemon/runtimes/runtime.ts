import type { Turn } from '../storage/index.js';

/**
 * What answers the jobs of one agent. Whoever implements it may rely on the daemon for the time limit, the
 * output limit, the order of jobs and everything that is stored.
 */
export interface Runtime {
  /**
   * Works on one job. A thrown error fails the job; its message is shown to the caller when it is a
   * `RuntimeFailure`, and is kept in the log otherwise.
   *
   * After `host.signal` is aborted the result is not used any more; the promise must settle soon, and only when nothing
   * of the job is running any longer: a cancel is confirmed at that moment.
   */
  run(job: RuntimeJob, host: RuntimeHost): Promise<RuntimeOutcome>;
}

/** A job as a runtime sees it. It never carries the authority of the computer's owner. */
export interface RuntimeJob {
  readonly jobId: string;
  readonly agent: string;
  readonly accountId: string;
  readonly contextId: string;
  readonly messageId: string;
  readonly text: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** False when nobody will answer a question: such a job must not end as `input_required`. */
  readonly interactive: boolean;
  /** Set when the job goes on after a question: the runtime's own checkpoint and the caller's answer. */
  readonly resumed?: { readonly checkpoint: unknown; readonly answer: string };
}

/** What the daemon lends to a runtime for one job. */
export interface RuntimeHost {
  /** Aborted when the job is canceled, out of time, or the daemon stops. */
  readonly signal: AbortSignal;
  /** An absolute path: a folder of this conversation alone. */
  readonly workspace: string;
  /** The whole environment for programs that are started: PATH, `HELLO_*` and what the configuration lets through. */
  readonly environment: Readonly<Record<string, string>>;
  /** Shows a piece of the reply while it is made. Best effort; the whole reply is in the outcome. */
  emit(text: string): void;
  /** What this account and this agent said before in this context, oldest first; bounded. */
  conversation(): Promise<Turn[]>;
}

export type RuntimeOutcome =
  /** `remember`: turns to add to the conversation, stored together with the reply. */
  | { state: 'succeeded'; reply: string; replyTruncated?: boolean; remember?: Turn[] }
  | { state: 'failed' | 'rejected'; statusText: string }
  /** The job waits for an answer, on disk, also over restarts; `checkpoint` must survive JSON. */
  | { state: 'input_required'; question: string; checkpoint: unknown };

/** A failure whose message is meant for the caller: no paths, no secrets, no stack. */
export class RuntimeFailure extends Error {
  override name = 'RuntimeFailure';
}
