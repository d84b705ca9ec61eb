import { Injectable, Logger } from '@nestjs/common';
import { describeError } from '../common/index.js';
import {
  NotSentError,
  RefusedError,
  type SubmitParams,
  emptyResult,
  jobReport,
  statusResult,
  submitResult,
} from '../relay-protocol/index.js';
import {
  type CancelOutcome,
  type InputOutcome,
  JobExecutor,
  type JobInput,
  type JobOrder,
  type StatusAnswer,
  type SubmitOutcome,
} from '../tasks/index.js';
import type { JobLink } from './job-link.js';
import { fromSubmission, toTaskReport } from './job-report.mapper.js';
import { RelaySessions } from './relay-sessions.registry.js';
import { RelaySettings } from './relay.settings.js';
import { StatusQuestions } from './status-questions.js';
import { certainRefusal, saysNotWaiting } from './submission-refusal.js';

/** How long a caller's GetTask waits for the computer (docs/relay-protocol.md, "Time-outs"). */
const CALLER_STATUS_TIMEOUT_MS = 2_000;
const IDS_PER_FORGET = 500;

type Patience = 'short' | 'long';

/** Runs jobs on the computers that this process has a link to. */
@Injectable()
export class RelayJobExecutor extends JobExecutor {
  private readonly logger = new Logger('Relay');
  private readonly questions = new WeakMap<JobLink, Record<Patience, StatusQuestions>>();

  constructor(
    private readonly sessions: RelaySessions,
    private readonly settings: RelaySettings,
  ) {
    super();
  }

  isAvailable(computerId: string): boolean {
    return this.sessions.find(computerId)?.takesJobs ?? false;
  }

  async submit(order: JobOrder): Promise<SubmitOutcome> {
    const link = this.sessions.find(order.computerId);
    if (!link?.takesJobs) return { kind: 'refused', reason: link ? 'not_accepting' : 'offline' };
    try {
      const answer = await link.call('job.submit', toSubmitParams(order), {
        timeoutMs: this.settings.submitTimeoutMs,
        result: submitResult,
      });
      return { kind: 'accepted', report: fromSubmission(order.taskId, answer) };
    } catch (error) {
      const reason = error instanceof NotSentError ? 'queue_full' : certainRefusal(error);
      const taskId = order.taskId;
      this.logger.warn({
        msg: 'a job was not accepted',
        ...link.about,
        taskId,
        requestId: order.requestId,
        reason,
        error: describeRefusal(error),
      });
      return reason === undefined ? { kind: 'uncertain' } : { kind: 'refused', reason };
    }
  }

  async status(
    computerId: string,
    taskIds: string[],
    patience: Patience,
  ): Promise<StatusAnswer[] | undefined> {
    const link = this.sessions.find(computerId);
    if (!link?.isDurable) return undefined;
    const jobs = await this.questionsFor(link)[patience].ask(taskIds);
    return jobs?.map((job) =>
      job.state === 'unknown'
        ? { kind: 'unknown', taskId: job.jobId }
        : { kind: 'reported', report: toTaskReport(job) },
    );
  }

  async cancel(computerId: string, taskId: string, requestId?: string): Promise<CancelOutcome> {
    const link = this.sessions.find(computerId);
    if (!link?.isDurable) return { kind: 'unreachable' };
    try {
      const job = await link.call(
        'job.cancel',
        { jobId: taskId },
        { timeoutMs: this.settings.cancelTimeoutMs, result: jobReport },
      );
      return job.jobId === taskId ? { kind: 'reported', report: toTaskReport(job) } : { kind: 'unreachable' };
    } catch (error) {
      if (error instanceof RefusedError && error.reason === 'unknown_job') return { kind: 'unknown' };
      this.logger.warn({
        msg: 'a cancel was not answered',
        ...link.about,
        taskId,
        requestId,
        error: describeRefusal(error),
      });
      return { kind: 'unreachable' };
    }
  }

  async answer({ taskId, computerId, message, requestId }: JobInput): Promise<InputOutcome> {
    const link = this.sessions.find(computerId);
    if (!link?.isDurable) return { kind: 'not_sent' };
    try {
      const job = await link.call(
        'job.input',
        { jobId: taskId, message },
        { timeoutMs: this.settings.submitTimeoutMs, result: jobReport },
      );
      return job.jobId === taskId ? { kind: 'reported', report: toTaskReport(job) } : { kind: 'uncertain' };
    } catch (error) {
      if (error instanceof NotSentError) return { kind: 'not_sent' };
      this.logger.warn({
        msg: 'an answer was not taken',
        ...link.about,
        taskId,
        requestId,
        error: describeRefusal(error),
      });
      return saysNotWaiting(error) ? { kind: 'not_waiting' } : { kind: 'uncertain' };
    }
  }

  forget(computerId: string, taskIds: string[]): void {
    const link = this.sessions.find(computerId);
    if (link?.isDurable) void this.forgetOn(link, taskIds);
  }

  private async forgetOn(link: JobLink, taskIds: string[]): Promise<void> {
    try {
      for (let start = 0; start < taskIds.length; start += IDS_PER_FORGET) {
        const jobIds = taskIds.slice(start, start + IDS_PER_FORGET);
        const timeoutMs = this.settings.statusTimeoutMs;
        await link.call('job.forget', { jobIds }, { timeoutMs, result: emptyResult });
      }
    } catch (error) {
      this.logger.debug({
        msg: 'a daemon did not forget jobs',
        ...link.about,
        error: describeRefusal(error),
      });
    }
  }

  private questionsFor(link: JobLink): Record<Patience, StatusQuestions> {
    const known = this.questions.get(link);
    if (known) return known;
    const within = (timeoutMs: number) =>
      new StatusQuestions(async (jobIds) => {
        const answer = await link.call('job.status', { jobIds }, { timeoutMs, result: statusResult });
        return answer.jobs;
      });
    const made = { short: within(CALLER_STATUS_TIMEOUT_MS), long: within(this.settings.statusTimeoutMs) };
    this.questions.set(link, made);
    return made;
  }
}

/** What a daemon writes into a refusal may quote the caller's message, which no log may hold (O2). */
function describeRefusal(error: unknown): string {
  return error instanceof RefusedError ? `refused with ${error.code}` : describeError(error);
}

/** The job carries the caller's account and nothing of the owner's (H5). */
function toSubmitParams(order: JobOrder): SubmitParams {
  return {
    jobId: order.taskId,
    agent: order.handle,
    contextId: order.contextId,
    caller: { accountId: order.accountId },
    origin: 'a2a',
    interactive: order.interactive,
    message: order.message,
    createdAt: new Date(order.createdAtMs).toISOString(),
    expiresAt: new Date(order.expiresAtMs).toISOString(),
    ...(order.traceparent !== undefined && { traceparent: order.traceparent }),
  };
}
