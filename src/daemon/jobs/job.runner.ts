import { describeError, readTraceparent } from '../../common/index.js';
import type { DaemonLogger } from '../daemon-logger.js';
import type { BuiltRuntimes } from '../runtimes/index.js';
import type { JobStore, RunResult, TakenJob } from '../storage/index.js';
import { ActiveRun, type StopReason } from './active-run.js';
import { runGuarded, type GuardParts } from './guarded-run.js';

export interface RunnerOptions {
  store: JobStore;
  runtimes: BuiltRuntimes;
  guard: GuardParts;
  concurrency: number;
  logger: DaemonLogger;
  /** A job changed and the change is on disk. */
  onChanged: (jobId: string) => void;
  /** Pause before the database is tried again after a fault. */
  retryMs: number;
}

/**
 * Runs jobs in the order of their arrival, at most `concurrency` at once. The line itself is the database, so that
 * nothing grows in memory and a restart goes on where it was.
 */
export class JobRunner {
  private readonly active = new Map<string, ActiveRun>();
  private held = false;
  private wanted = false;
  private pumping: Promise<void> | undefined;
  private readonly closed = new AbortController();

  constructor(private readonly options: RunnerOptions) {}

  get freePlaces(): number {
    return Math.max(0, this.options.concurrency - this.active.size);
  }

  get activeJobs(): number {
    return this.active.size;
  }

  /** Looks whether a job can start. */
  wake(): void {
    this.wanted = true;
    // Cleared here and not by the pump, which ends before this assignment when every place is taken.
    this.pumping ??= this.pump().finally(() => {
      this.pumping = undefined;
      if (this.wanted && !this.held) this.wake();
    });
  }

  /** Starts no more jobs; those at work go on. */
  hold(): void {
    this.held = true;
  }

  /** Asks one job to stop. @returns when its end is on disk; nothing when it is not at work */
  stop(jobId: string, reason: StopReason): Promise<void> | undefined {
    const run = this.active.get(jobId);
    run?.stop(reason);
    return run?.settled;
  }

  stopAll(reason: StopReason): void {
    for (const run of this.active.values()) run.stop(reason);
  }

  /** @returns when nothing is at work any more */
  async idle(): Promise<void> {
    await this.pumping;
    while (this.active.size > 0) await Promise.all([...this.active.values()].map((run) => run.settled));
  }

  /** Gives up on results that cannot be stored: the next start reports their jobs as interrupted. */
  close(): void {
    this.hold();
    this.closed.abort();
  }

  private async pump(): Promise<void> {
    while (this.wanted && !this.held) {
      this.wanted = false;
      while (!this.held && this.freePlaces > 0 && (await this.startNext())) {
        // one after another, for as long as there are places and jobs
      }
    }
  }

  private async startNext(): Promise<boolean> {
    const run = new ActiveRun();
    let takenId: string | undefined;
    try {
      const job = await this.options.store.takeNext((jobId) => {
        // Asked for before the stop began, and looked for after it.
        if (this.held) return false;
        takenId = jobId;
        this.active.set(jobId, run);
        return true;
      });
      if (!job) return false;
      if (this.held && run.stopReason !== 'canceled') {
        await this.giveBack(job, run);
        return false;
      }
      this.options.onChanged(job.order.jobId);
      void this.execute(job, run);
      return true;
    } catch (error) {
      if (takenId !== undefined) this.active.delete(takenId);
      run.settle();
      this.options.logger.error('The next job cannot be taken', { error: describeError(error) });
      this.wakeLater();
      return false;
    }
  }

  /** The stop began while the job was taken: it has not begun, and is to run after the next start. */
  private async giveBack(job: TakenJob, run: ActiveRun): Promise<void> {
    await this.options.store.putBack(job);
    this.active.delete(job.order.jobId);
    run.settle();
  }

  private wakeLater(): void {
    const timer = setTimeout(() => this.wake(), this.options.retryMs);
    this.closed.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  }

  private async execute(job: TakenJob, run: ActiveRun): Promise<void> {
    const { jobId, agent } = job.order;
    const guarded = this.options.runtimes.for(agent);
    const result: RunResult = guarded
      ? await runGuarded(guarded, job, run, this.options.guard)
      : {
          state: 'failed',
          statusText: 'This assistant is no longer set up on its computer.',
          deltas: job.deltas,
        };
    const stored = await this.storeResult(job, result);
    this.tellEnd(job, result);
    this.active.delete(jobId);
    run.settle();
    if (stored) this.options.onChanged(jobId);
    this.wake();
  }

  /** By its trace the job is found again in the logs of whoever asked. */
  private tellEnd({ order }: TakenJob, { state }: RunResult): void {
    const traceparent = readTraceparent(order.traceparent);
    const fields = { jobId: order.jobId, agent: order.agent, state };
    this.options.logger.info('A job was run', {
      ...fields,
      ...(traceparent !== undefined && { traceparent }),
    });
  }

  /** A result that cannot be stored stays in memory, in its place, until it can: it must not be lost. */
  private async storeResult(job: TakenJob, result: RunResult): Promise<boolean> {
    for (;;) {
      try {
        await this.options.store.finishRun(job.order, result);
        return true;
      } catch (error) {
        this.options.logger.error('A result cannot be stored yet', {
          jobId: job.order.jobId,
          error: describeError(error),
        });
        if (this.closed.signal.aborted || !(await this.pauseUnlessClosed())) return false;
      }
    }
  }

  /** @returns false when the runner was closed meanwhile */
  private pauseUnlessClosed(): Promise<boolean> {
    return new Promise((resolve) => {
      const { signal } = this.closed;
      const onClose = () => {
        clearTimeout(timer);
        resolve(false);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', onClose);
        resolve(true);
      }, this.options.retryMs);
      signal.addEventListener('abort', onClose, { once: true });
    });
  }
}
