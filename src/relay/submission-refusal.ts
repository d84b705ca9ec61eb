import { type Refusal, RefusedError } from '../relay-protocol/index.js';

const REFUSED = -32000;
const WORDS: ReadonlySet<string> = new Set<Refusal>([
  'queue_full',
  'unknown_agent',
  'draining',
  'invalid_job',
  'conflict',
]);
/** What a daemon says of a job that does not wait for an answer, or of one that it does not have. */
const NOT_WAITING: ReadonlySet<string> = new Set<Refusal>(['not_waiting', 'unknown_job']);
/** JSON-RPC errors that are said before a method runs: bad request, unknown method, bad parameters. */
const BEFORE_RUNNING = new Set([-32600, -32601, -32602]);

/**
 * Whether an answer to `job.submit` says for certain that the job was not taken.
 *
 * `conflict` counts: the daemon has another job of that id and has not taken this one, and asking for the
 * status later would bring back the other one's result. An internal error, or a word that the protocol does not
 * have, may have come after the job was stored.
 * @returns the word for the refusal, or `undefined` when it is not certain
 */
export function certainRefusal(error: unknown): string | undefined {
  if (!(error instanceof RefusedError)) return undefined;
  if (BEFORE_RUNNING.has(error.code)) return 'invalid_job';
  const isKnown = error.code === REFUSED && error.reason !== undefined && WORDS.has(error.reason);
  return isKnown ? error.reason : undefined;
}

/** Whether an answer to `job.input` says for certain that the answer to the question was not taken. */
export function saysNotWaiting(error: unknown): boolean {
  if (!(error instanceof RefusedError)) return false;
  return BEFORE_RUNNING.has(error.code) || (error.reason !== undefined && NOT_WAITING.has(error.reason));
}
