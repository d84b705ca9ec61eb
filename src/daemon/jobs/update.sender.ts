import { describeError } from '../../common/index.js';
import {
  RefusedError,
  updateResult,
  type DeltaParams,
  type JobReport,
  type JsonRpcPeer,
} from '../../relay-protocol/index.js';
import type { DaemonLogger } from '../daemon-logger.js';
import type { JobStore } from '../storage/index.js';

/** The link as the sender needs it. */
export interface UpdateLink {
  readonly peer: JsonRpcPeer;
  /** Aborted when the link ends. */
  readonly ended: AbortSignal;
  /** Whether a message of this kind fits into one frame. */
  fits(params: object): boolean;
  /** Settles when what was written has left this process, or the link ended. */
  drained(): Promise<void>;
  /** True while partial output should rather be dropped than queued. */
  readonly congested: boolean;
}

export interface UpdateSenderOptions {
  store: JobStore;
  logger: DaemonLogger;
  answerTimeoutMs: number;
  /** Pause before unanswered or refused updates are sent again on the same link. */
  repeatMs: number;
}

/** Few enough that their replies cannot fill the link, many enough to be quick. */
const WINDOW = 16;
const TOO_LARGE = 'The reply of this assistant is too large for the link to its computer.';
const NOT_READ = 'The service could not read what the computer reported of this job.';
/** The API says that it cannot read a report; it will say so again. */
const UNREADABLE = new Set([-32600, -32602]);

interface InFlight {
  jobId: string;
  revision: number;
  bytes: number;
}

/**
 * Tells the API of every change that is on disk, until it is acknowledged (requirement R4). What changes while the
 * link is up goes out at once; what is older is found by walking through the unacknowledged jobs, at the start of
 * each link and again after a pause while some stay unanswered.
 */
export class UpdateSender {
  private link: UpdateLink | undefined;
  private readonly fresh = new Set<string>();
  private readonly inFlight = new Map<string, InFlight>();
  private readonly underWay = new Set<Promise<void>>();
  /** Revisions by job that the API of this link cannot read. */
  private readonly unreadable = new Map<string, number>();
  /** Where the walk through the unacknowledged jobs stands; an object, so that a new walk never follows an old one. */
  private walk: { after: number } | undefined;
  private working: Promise<void> | undefined;
  private repeatTimer: NodeJS.Timeout | undefined;

  constructor(private readonly options: UpdateSenderOptions) {}

  /** A new link is ready: everything that is unacknowledged goes out. */
  attach(link: UpdateLink): void {
    this.detach();
    this.link = link;
    this.sweep();
  }

  /** The link ended. @returns the largest update that was on its way, for the case that it ended because of it */
  detach(): InFlight | undefined {
    clearTimeout(this.repeatTimer);
    this.repeatTimer = undefined;
    this.link = undefined;
    this.walk = undefined;
    this.fresh.clear();
    this.unreadable.clear();
    const largest = [...this.inFlight.values()].sort((a, b) => b.bytes - a.bytes)[0];
    this.inFlight.clear();
    return largest;
  }

  /** A change of this job is on disk. Without a link the next one finds it. */
  offer(jobId: string): void {
    if (!this.link) return;
    this.fresh.add(jobId);
    this.work();
  }

  delta(delta: DeltaParams): void {
    if (this.link && !this.link.congested) this.link.peer.notify('job.delta', delta);
  }

  /** @returns when everything that can be sent now was answered or given up */
  async flushed(): Promise<void> {
    while (this.working || this.underWay.size > 0) await Promise.all([this.working, ...this.underWay]);
  }

  /** No frame can carry this result: it becomes a failure that one can. */
  async failUnsendable({ jobId, revision }: { jobId: string; revision: number }): Promise<void> {
    const failed = await this.options.store.failUnsendable(jobId, revision, TOO_LARGE);
    if (!failed) return;
    this.options.logger.error('A reply was too large for the link; its job is failed', { jobId });
    this.offer(jobId);
  }

  private sweep(): void {
    this.walk = { after: 0 };
    this.work();
  }

  private work(): void {
    this.working ??= this.sendAll().finally(() => {
      this.working = undefined;
      if (this.link && (this.fresh.size > 0 || this.walk)) this.work();
    });
  }

  private async sendAll(): Promise<void> {
    try {
      for (;;) {
        const link = this.link;
        const report = link && (await this.next());
        if (!link || !report) return;
        if (this.link !== link || this.inFlight.get(report.jobId)?.revision === report.revision) continue;
        if (this.unreadable.get(report.jobId) === report.revision) continue;
        if (!link.fits(report)) {
          await this.failUnsendable(report);
          continue;
        }
        this.start(link, report);
        await link.drained();
        while (this.underWay.size >= WINDOW && !link.ended.aborted) await Promise.race(this.underWay);
      }
    } catch (error) {
      this.options.logger.error('Updates cannot be read', { error: describeError(error) });
      this.walk = undefined;
      this.fresh.clear();
      this.repeatLater();
    }
  }

  private async next(): Promise<JobReport | undefined> {
    for (const jobId of this.fresh) {
      this.fresh.delete(jobId);
      const report = await this.options.store.unacknowledged(jobId);
      if (report) return report;
    }
    const { walk } = this;
    if (!walk) return undefined;
    const found = await this.options.store.nextUnacknowledged(walk.after);
    if (found) walk.after = found.seq;
    else if (this.walk === walk) this.walk = undefined;
    return found?.report;
  }

  private start(link: UpdateLink, report: JobReport): void {
    const entry = { jobId: report.jobId, revision: report.revision, bytes: report.reply?.length ?? 0 };
    this.inFlight.set(report.jobId, entry);
    const sending = this.send(link, report).finally(() => {
      this.underWay.delete(sending);
      if (this.inFlight.get(report.jobId) === entry) this.inFlight.delete(report.jobId);
    });
    this.underWay.add(sending);
  }

  private async send(link: UpdateLink, report: JobReport): Promise<void> {
    const { store, logger, answerTimeoutMs } = this.options;
    try {
      const answer = await link.peer.call('job.updated', report, {
        timeoutMs: answerTimeoutMs,
        result: updateResult,
      });
      const revision = Math.min(answer.acknowledged, report.revision);
      await store.acknowledge(report.jobId, revision, answer.known !== false);
      if (revision < report.revision) this.repeatLater();
    } catch (error) {
      if (this.link !== link) return;
      if (error instanceof RefusedError) {
        logger.warn('The API did not take an update', { jobId: report.jobId, error: error.message });
        if (UNREADABLE.has(error.code)) return this.replaceUnreadable(report);
      }
      this.repeatLater();
    }
  }

  /**
   * Nobody would ever hear of a result that the API cannot read: it becomes a failure, once. A job at work is left
   * alone, since its next report is another one.
   */
  private async replaceUnreadable({ jobId, revision, state, statusText }: JobReport): Promise<void> {
    this.unreadable.set(jobId, revision);
    if (state === 'running' || statusText === NOT_READ) return;
    try {
      if (await this.options.store.failUnsendable(jobId, revision, NOT_READ)) this.offer(jobId);
    } catch (error) {
      this.options.logger.error('An unreadable report cannot be replaced', {
        jobId,
        error: describeError(error),
      });
      this.unreadable.delete(jobId);
      this.repeatLater();
    }
  }

  private repeatLater(): void {
    if (!this.link || this.repeatTimer) return;
    this.repeatTimer = setTimeout(() => {
      this.repeatTimer = undefined;
      if (this.link) this.sweep();
    }, this.options.repeatMs);
  }
}
