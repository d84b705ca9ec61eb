import { resolve } from 'node:path';
import { describeError, untilAborted, type Clock } from '../common/index.js';
import { MAX_FRAME_BYTES, type MethodHandler } from '../relay-protocol/index.js';
import type { DaemonLogger } from './daemon-logger.js';
import { Janitor, JobRunner, UpdateSender, Workspaces, jobMethods, type UpdateLink } from './jobs/index.js';
import { endLeftoverPrograms, type BuiltRuntimes } from './runtimes/index.js';
import { ConversationStore, JobStore, type UnitQueue } from './storage/index.js';

/** Pauses and limits in milliseconds; the defaults are meant for use, others for tests. */
export interface CoreTiming {
  cancelWaitMs: number;
  stopGraceMs: number;
  storageRetryMs: number;
  updateAnswerMs: number;
  updateRepeatMs: number;
  janitorIntervalMs: number;
  flushMs: number;
}

export const CORE_TIMING: CoreTiming = {
  cancelWaitMs: 6000,
  stopGraceMs: 15_000,
  storageRetryMs: 2000,
  updateAnswerMs: 15_000,
  updateRepeatMs: 5000,
  janitorIntervalMs: 60_000,
  flushMs: 2000,
};

export interface CoreOptions {
  /** Most jobs that run at once. */
  concurrency: number;
  /** Most jobs that wait for their turn. */
  queueLimit: number;
  dataDir: string;
  logger: DaemonLogger;
  clock: Clock;
  timing: CoreTiming;
  /** Least time between two pieces of partial output of one job, in milliseconds. */
  deltaIntervalMs: number;
}

/** All of a daemon but its link: the jobs on disk, their runs, and the reports that are owed to the API. */
export class DaemonCore {
  /** What the API calls, over whatever link. */
  readonly methods: Record<string, MethodHandler>;
  private readonly store: JobStore;
  private readonly runner: JobRunner;
  private readonly updates: UpdateSender;
  private readonly janitor: Janitor;
  /** What one frame of the present link may carry. */
  private frameBytes = MAX_FRAME_BYTES;
  private held = false;

  constructor(
    private readonly options: CoreOptions,
    private readonly queue: UnitQueue,
    private readonly runtimes: BuiltRuntimes,
  ) {
    const { dataDir, logger, clock, timing, concurrency, deltaIntervalMs } = options;
    const { stopGraceMs, storageRetryMs: retryMs, janitorIntervalMs: intervalMs } = timing;
    const store = new JobStore(queue, clock);
    const conversations = new ConversationStore(queue, clock);
    const workspaces = new Workspaces(resolve(dataDir), queue, clock);
    const updates = new UpdateSender({
      store,
      logger,
      answerTimeoutMs: timing.updateAnswerMs,
      repeatMs: timing.updateRepeatMs,
    });
    const guard = {
      workspaces,
      conversations,
      clock,
      logger,
      stopGraceMs,
      deltaIntervalMs,
      onDelta: (delta: Parameters<UpdateSender['delta']>[0]) => updates.delta(delta),
    };
    const onChanged = (jobId: string) => updates.offer(jobId);
    this.runner = new JobRunner({ store, runtimes, guard, concurrency, logger, onChanged, retryMs });
    this.janitor = new Janitor({ store, conversations, workspaces, logger, intervalMs });
    this.store = store;
    this.updates = updates;
    this.methods = this.makeMethods(onChanged);
  }

  get activeJobs(): number {
    return this.runner.activeJobs;
  }

  /** Whether new jobs are refused, because the daemon is about to stop. */
  get isHeld(): boolean {
    return this.held;
  }

  /** Fails what was interrupted (requirement R6), and goes on with what was queued. */
  async start(): Promise<void> {
    const interrupted = await this.store.failInterrupted();
    if (interrupted.length > 0) {
      const programsEnded = await endLeftoverPrograms(interrupted);
      const fields = { jobs: interrupted, programsEnded };
      this.options.logger.warn('Jobs were interrupted by the end of the last process', fields);
    }
    await this.janitor.runOnce();
    this.janitor.start();
    this.runner.wake();
  }

  /** A link is ready: what is unacknowledged goes out, and what changes from now on. */
  attach(link: UpdateLink, maxFrameBytes: number): void {
    this.frameBytes = Math.min(MAX_FRAME_BYTES, maxFrameBytes);
    this.updates.attach(link);
  }

  /**
   * The link has ended.
   * @param tooLarge it was closed over a frame's size: the largest report would end the next one as well, and fails
   */
  async detach(tooLarge: boolean): Promise<void> {
    const largest = this.updates.detach();
    if (!tooLarge || !largest) return;
    await this.updates.failUnsendable(largest).catch((error: unknown) => {
      this.options.logger.error('A reply that is too large cannot be replaced', {
        error: describeError(error),
      });
    });
  }

  /** Takes and starts no more jobs; those at work go on. */
  hold(): void {
    this.held = true;
    this.runner.hold();
  }

  /** Lets jobs at work go on until the signal, stops the rest, and sends what can be sent; to be called after `hold`. */
  async drain(cut: AbortSignal): Promise<void> {
    const { stopGraceMs, flushMs } = this.options.timing;
    await untilAborted(this.runner.idle(), cut);
    this.runner.stopAll('shutdown');
    await untilAborted(this.runner.idle(), AbortSignal.timeout(stopGraceMs));
    await untilAborted(this.updates.flushed(), AbortSignal.timeout(flushMs));
  }

  /** Closes the job database; the link must have ended. */
  async close(): Promise<void> {
    this.runner.close();
    await this.janitor.stop();
    await this.queue.close().catch((error: unknown) => {
      this.options.logger.error('The job database did not close', { error: describeError(error) });
    });
  }

  private makeMethods(onChanged: (jobId: string) => void): Record<string, MethodHandler> {
    const { store, runner, runtimes } = this;
    const { clock, logger, queueLimit, timing } = this.options;
    return jobMethods({
      store,
      runner,
      runtimes,
      clock,
      logger,
      queueLimit,
      isDraining: () => this.held,
      onChanged,
      frameBytes: () => this.frameBytes,
      cancelWaitMs: timing.cancelWaitMs,
    });
  }
}
