import { asError, describeError, readTraceparent, stackOf, type Clock } from '../../common/index.js';
import { MAX_REPLY_CODE_POINTS, type DeltaParams } from '../../relay-protocol/index.js';
import type { DaemonLogger } from '../daemon-logger.js';
import {
  RuntimeFailure,
  cutStatusText,
  cutToCodePoints,
  type GuardedRuntime,
  type RuntimeHost,
  type RuntimeJob,
  type RuntimeOutcome,
} from '../runtimes/index.js';
import { conversationKey, type ConversationStore, type RunResult, type TakenJob } from '../storage/index.js';
import type { ActiveRun, StopReason } from './active-run.js';
import { PartialOutput } from './partial-output.js';
import type { Workspaces } from './workspaces.js';

export interface GuardParts {
  workspaces: Workspaces;
  conversations: ConversationStore;
  clock: Clock;
  logger: DaemonLogger;
  onDelta: (delta: DeltaParams) => void;
  /** How long a runtime may take to stop before it is given up. */
  stopGraceMs: number;
  /** Least time between two pieces of partial output of one job. */
  deltaIntervalMs: number;
}

const UNKNOWN_FAULT = 'The assistant failed unexpectedly.';

/**
 * Runs one job under the rules that hold for every runtime: a workspace and a conversation of its own, a clean
 * environment, bounded output, a time limit, no question where nobody answers. Whatever the runtime does, a
 * result comes out; this never rejects.
 */
export async function runGuarded(
  guarded: GuardedRuntime,
  job: TakenJob,
  run: ActiveRun,
  parts: GuardParts,
): Promise<RunResult> {
  const output = new PartialOutput(job, run.signal, parts);
  const key = conversationKey(job.order);
  const limitMs = Math.max(0, Math.min(guarded.timeoutMs, job.expiresAtMs - parts.clock.now()));
  const timer = setTimeout(() => run.stop('timeout'), limitMs);
  try {
    const workspace = await parts.workspaces.acquire(key, job.expiresAtMs);
    try {
      // Stopped while the workspace was made: a runtime that listens for the abort would never hear it.
      run.signal.throwIfAborted();
      const host: RuntimeHost = {
        signal: run.signal,
        workspace,
        environment: environmentFor(guarded, job),
        emit: (text) => output.emit(text),
        conversation: () => parts.conversations.recent(key),
      };
      const outcome = await orGivenUp(
        guarded.runtime.run(runtimeJob(job), host),
        run.signal,
        parts.stopGraceMs,
      );
      return { ...resultOf(outcome, job, run.stopReason), deltas: output.end() };
    } finally {
      parts.workspaces.release(key);
    }
  } catch (error) {
    return { ...faultOf(asError(error), guarded, { job, run, logger: parts.logger }), deltas: output.end() };
  } finally {
    clearTimeout(timer);
  }
}

class GivenUpError extends Error {}

/** A runtime that does not stop when told must not hold its place for ever. */
async function orGivenUp<T>(promise: Promise<T>, signal: AbortSignal, graceMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let startGrace: () => void = () => undefined;
  const givenUp = new Promise<never>((_resolve, reject) => {
    startGrace = () => {
      timer = setTimeout(() => reject(new GivenUpError()), graceMs);
    };
  });
  if (signal.aborted) startGrace();
  else signal.addEventListener('abort', startGrace, { once: true });
  try {
    return await Promise.race([promise, givenUp]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', startGrace);
  }
}

function runtimeJob({ order, resumed }: TakenJob): RuntimeJob {
  return {
    jobId: order.jobId,
    agent: order.agent,
    accountId: order.caller.accountId,
    contextId: order.contextId,
    messageId: order.message.messageId,
    text: order.message.text,
    metadata: order.message.metadata ?? {},
    interactive: order.interactive,
    ...(resumed === undefined ? {} : { resumed }),
  };
}

function environmentFor(guarded: GuardedRuntime, { order }: TakenJob): Record<string, string> {
  const traceparent = readTraceparent(order.traceparent);
  return {
    ...guarded.environment,
    HELLO_JOB_ID: withoutNul(order.jobId),
    HELLO_CONTEXT_ID: withoutNul(order.contextId),
    HELLO_MESSAGE_ID: withoutNul(order.message.messageId),
    // The name under which OpenTelemetry's programs look for it.
    ...(traceparent !== undefined && { TRACEPARENT: traceparent }),
  };
}

/** An environment cannot hold NUL, and ids are the caller's choice. */
function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}

type Result = Omit<RunResult, 'deltas'>;

function resultOf(outcome: RuntimeOutcome, job: TakenJob, stopped: StopReason | undefined): Result {
  if (stopped) return stoppedResult(stopped);
  switch (outcome.state) {
    case 'succeeded': {
      const { text, cut } = cutToCodePoints(outcome.reply, MAX_REPLY_CODE_POINTS);
      const replyTruncated = cut || outcome.replyTruncated === true;
      const remember = outcome.remember?.map(({ role, content }) => ({
        role,
        content: cutToCodePoints(content, MAX_REPLY_CODE_POINTS).text,
      }));
      return { state: 'succeeded', reply: text, replyTruncated, ...(remember ? { remember } : {}) };
    }
    case 'input_required':
      if (!job.order.interactive) {
        return failed('The assistant asked a question, and in this conversation nobody can answer.');
      }
      return {
        state: 'input_required',
        statusText: cutStatusText(textOf(outcome.question, 'question')),
        // Written here, where what cannot be written fails the job and not its storing.
        checkpoint: JSON.stringify(outcome.checkpoint ?? null),
      };
    case 'failed':
    case 'rejected':
      return { state: outcome.state, statusText: cutStatusText(textOf(outcome.statusText, 'statusText')) };
    default:
      throw new TypeError('the runtime gave an outcome of an unknown kind');
  }
}

/** @throws TypeError for what is no text, which could not be stored */
function textOf(value: unknown, member: string): string {
  if (typeof value !== 'string') throw new TypeError(`the runtime gave a ${member} that is no text`);
  return value;
}

function stoppedResult(reason: StopReason): Result {
  switch (reason) {
    case 'canceled':
      return { state: 'canceled' };
    case 'timeout':
      return failed('The assistant took longer than its time limit.');
    case 'shutdown':
      return failed('The assistant was stopped while this job was running.');
  }
}

interface Failing {
  job: TakenJob;
  run: ActiveRun;
  logger: DaemonLogger;
}

function faultOf(error: Error, { origin }: GuardedRuntime, { job, run, logger }: Failing): Result {
  if (error instanceof GivenUpError) {
    logger.error('A runtime did not stop when told to and was given up', { jobId: job.order.jobId });
    return failed('The assistant did not stop when told to.');
  }
  if (run.stopReason) return stoppedResult(run.stopReason);
  if (error instanceof RuntimeFailure) return failed(cutStatusText(error.message));
  const { jobId, agent } = job.order;
  logger.error('A runtime failed', {
    jobId,
    agent,
    ...(origin !== undefined && { origin }),
    error: describeError(error),
    stack: stackOf(error),
  });
  return failed(UNKNOWN_FAULT);
}

function failed(statusText: string): Result {
  return { state: 'failed', statusText };
}
