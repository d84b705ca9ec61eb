/** A message as an in-process assistant gets it. It never carries the authority of the assistant's owner (H5). */
export interface AssistantJob {
  readonly taskId: string;
  readonly contextId: string;
  readonly messageId: string;
  /** The assistant that was addressed. */
  readonly handle: string;
  /** Who sent the message. */
  readonly accountId: string;
  readonly text: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** What a run may use. */
export interface AssistantContext {
  /** Aborted when the task is canceled, out of time, or waits for an answer, and when the service stops. */
  readonly signal: AbortSignal;
  /** Whether somebody can answer a question; false for messages of A2A 1.0. */
  readonly interactive: boolean;
  /**
   * Asks the caller and ends this run: the task waits, on disk, for as long as it is kept. With the answer `run` is
   * called again from its beginning, and each `ask` that was answered before gives its answer at once. Up to a question
   * a run must therefore do the same every time; what must not happen twice belongs into `once`.
   * @param question at most 4,000 characters are shown
   * @returns the text of the answer
   * @throws TypeError for a question that is no text, or has none
   * @throws AnswerPending when the answer is not there yet; to be let through. The run is over all the same when it is
   *   caught, or when nobody waits for the answer
   */
  ask(question: string): Promise<string>;
  /**
   * Does work once, however often the run begins anew after questions: later runs get the result of the first.
   * @param name of the work; no two of a job may share one
   * @param work its result, if it has one, must survive JSON
   * @throws TypeError when JSON would lose something of the result; names the work, and where
   */
  once<T>(name: string, work: () => T | Promise<T>): Promise<T>;
  /** What this account and this assistant said before in this context, oldest first; bounded. */
  conversation(): Promise<{ role: 'user' | 'assistant'; content: string }[]>;
}

/** What a class with `@Assistant` must have. */
export interface AssistantRunner {
  /**
   * Works on one job. Parts that are yielded are shown while they are made, and together are the reply.
   *
   * A thrown `RuntimeFailure` fails the task with its message, an `AssistantRejection`, a `RefusedFailure` or an `HttpException`
   * below 500 rejects it with theirs; of any other error the caller learns nothing.
   */
  run(job: AssistantJob, context: AssistantContext): AsyncIterable<string> | Promise<string | void>;
}

/** Declines a job; the message is shown to the caller. */
export class AssistantRejection extends Error {
  override name = 'AssistantRejection';
}

/** Ends a run that waits for an answer. It is no failure: interceptors let it pass. */
export class AnswerPending extends Error {
  override name = 'AnswerPending';

  constructor() {
    super('The run ended with a question; it begins anew with the answer');
  }
}
