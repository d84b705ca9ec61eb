import { setTimeout as pause } from 'node:timers/promises';
import { describeError, type Clock } from '../../common/index.js';
import {
  forgetParams,
  inputParams,
  jobIdParams,
  readParams,
  refusal,
  statusParams,
  submitParams,
  type JobReport,
  type MethodHandler,
  type SubmitParams,
} from '../../relay-protocol/index.js';
import type { DaemonLogger } from '../daemon-logger.js';
import type { BuiltRuntimes } from '../runtimes/index.js';
import type { JobStore } from '../storage/index.js';
import { fingerprintOf } from './fingerprint.js';
import type { JobRunner } from './job.runner.js';

export interface MethodParts {
  store: JobStore;
  runner: JobRunner;
  runtimes: BuiltRuntimes;
  clock: Clock;
  logger: DaemonLogger;
  queueLimit: number;
  isDraining: () => boolean;
  onChanged: (jobId: string) => void;
  /** What one frame of the present link may carry. */
  frameBytes: () => number;
  /** How long a cancel waits for the job to stop; well under the API's own limit for the answer. */
  cancelWaitMs: number;
}

/** Room for the envelope around the reports of a status answer. */
const ENVELOPE_BYTES = 1024;

/**
 * The methods that the API calls. Each asks the database before it awaits anything else, so that frames take
 * effect in the order in which they arrive.
 */
export function jobMethods(parts: MethodParts): Record<string, MethodHandler> {
  return {
    'job.submit': (params) => submit(parts, params),
    'job.status': (params) => status(parts, params),
    'job.cancel': (params) => cancel(parts, params),
    'job.input': (params) => giveInput(parts, params),
    'job.forget': async (params) => {
      await parts.store.forget(readParams(forgetParams, params).jobIds);
      return {};
    },
  };
}

async function submit(parts: MethodParts, params: unknown): Promise<object> {
  const { order, fingerprint } = readOrder(params);
  // A job that is known is answered for whatever else would be refused now; asking for it keeps nothing.
  const refuse = reasonToRefuse(parts, order);
  if (refuse) {
    const [known] = await parts.store.reports([order.jobId]);
    if (!known) throw refuse;
  }
  const outcome = await parts.store
    .submit(order, fingerprint, waitingLimit(parts))
    .catch((error: unknown) => {
      parts.logger.error('A job cannot be stored', { jobId: order.jobId, error: describeError(error) });
      throw refusal('queue_full', 'the job could not be stored');
    });
  switch (outcome.kind) {
    case 'conflict':
      throw refusal('conflict', 'this job id is known with other content');
    case 'queue_full':
      throw refusal('queue_full', 'too many jobs are waiting');
    case 'kept':
      parts.runner.wake();
      return { state: outcome.report.state, revision: outcome.report.revision };
  }
}

/** Places that are free count as well, so that a full line means that every place is taken. */
function waitingLimit({ runner, queueLimit }: MethodParts): () => number {
  return () => queueLimit + runner.freePlaces;
}

function readOrder(params: unknown): { order: SubmitParams; fingerprint: string } {
  try {
    const order = readParams(submitParams, params);
    return { order, fingerprint: fingerprintOf(order) };
  } catch (error) {
    throw refusal('invalid_job', describeError(error));
  }
}

function reasonToRefuse(
  { isDraining, runtimes, clock }: MethodParts,
  order: SubmitParams,
): Error | undefined {
  if (isDraining()) return refusal('draining', 'the daemon is about to stop');
  if (!runtimes.for(order.agent)) return refusal('unknown_agent', 'no agent of this name runs here');
  if (Date.parse(order.expiresAt) <= clock.now()) return refusal('invalid_job', 'the job has expired');
  return undefined;
}

/**
 * Reports that do not fit into one frame together are left out: the API asks about them again, and finished ones
 * that it has not acknowledged reach it as updates.
 */
async function status({ store, frameBytes }: MethodParts, params: unknown): Promise<object> {
  const { jobIds } = readParams(statusParams, params);
  const reports = new Map((await store.reports(jobIds)).map((report) => [report.jobId, report]));
  const jobs: object[] = [];
  let room = frameBytes() - ENVELOPE_BYTES;
  for (const jobId of jobIds) {
    const job = reports.get(jobId) ?? { jobId, state: 'unknown' };
    room -= Buffer.byteLength(JSON.stringify(job)) + 1;
    if (room < 0) break;
    jobs.push(job);
  }
  return { jobs };
}

async function cancel(parts: MethodParts, params: unknown): Promise<object> {
  const { jobId } = readParams(jobIdParams, params);
  const outcome = await parts.store.cancelIdle(jobId);
  if (outcome.kind === 'unknown') throw refusal('unknown_job', 'no such job is kept here');
  if (outcome.kind === 'settled') {
    parts.onChanged(jobId);
    return outcome.report;
  }
  const stopped = parts.runner.stop(jobId, 'canceled');
  if (stopped) await Promise.race([stopped, pause(parts.cancelWaitMs, undefined, { ref: false })]);
  return (await reportOf(parts, jobId)) ?? outcome.report;
}

async function giveInput(parts: MethodParts, params: unknown): Promise<object> {
  const { jobId, message } = readParams(inputParams, params);
  const outcome = await parts.store.giveInput(jobId, message);
  if (outcome.kind === 'not_waiting') throw refusal('not_waiting', 'this job does not wait for an answer');
  if (outcome.kind === 'taken') {
    parts.onChanged(jobId);
    parts.runner.wake();
  }
  return outcome.report;
}

async function reportOf({ store }: MethodParts, jobId: string): Promise<JobReport | undefined> {
  const [report] = await store.reports([jobId]);
  return report;
}
