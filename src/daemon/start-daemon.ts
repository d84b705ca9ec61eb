import { resolve } from 'node:path';
import { SystemClock, UuidGenerator, describeError, untilAborted, type Clock } from '../common/index.js';
import { CloseCode, MAX_FRAME_BYTES } from '../relay-protocol/index.js';
import type { DaemonConfig } from './daemon.config.js';
import type { DaemonLogger } from './daemon-logger.js';
import { Janitor, JobRunner, UpdateSender, Workspaces, jobMethods, type GuardParts } from './jobs/index.js';
import { RelayConnection, type FatalReason, type LinkEnd } from './link/index.js';
import { buildRuntimes, endLeftoverPrograms, type Runtime } from './runtimes/index.js';
import {
  ConversationStore,
  JobStore,
  databaseError,
  openJobDatabase,
  type UnitQueue,
} from './storage/index.js';

export interface DaemonOptions {
  /** `ws://` or `wss://` address of the API's relay. */
  url: string;
  /** Relay token of this computer (`rt_…`). */
  token: string;
  config: DaemonConfig;
  /** Folder for the job database and the workspaces; made private to the user. */
  dataDir: string;
  logger: DaemonLogger;
  version?: string;
  clock?: Clock;
  /** Runtimes made in code, by the agent's handle; they take precedence over the configuration. */
  runtimes?: Readonly<Record<string, Runtime>>;
  /** The environment from which programs and keys get what the configuration names; the process's own by default. */
  environment?: Readonly<Record<string, string | undefined>>;
  timing?: Partial<DaemonTiming>;
}

/** Pauses and limits in milliseconds; the defaults are meant for use, others for tests. */
export interface DaemonTiming {
  cancelWaitMs: number;
  stopGraceMs: number;
  storageRetryMs: number;
  updateAnswerMs: number;
  updateRepeatMs: number;
  janitorIntervalMs: number;
  flushMs: number;
}

export type DaemonEnd = { reason: 'stopped' } | { reason: FatalReason; message: string };

export interface RunningDaemon {
  /** Settles with the first link on which the hello was answered. */
  readonly connected: Promise<void>;
  /** Settles when the daemon was stopped, or when the API refused it for good; then `stop` is still to be called. */
  readonly finished: Promise<DaemonEnd>;
  /**
   * Takes no more jobs, lets those at work go on for `drainMs`, stops the rest (they are reported as failed), sends
   * what can be sent and closes everything. A second call can only shorten the wait.
   */
  stop(options: { drainMs: number }): Promise<void>;
}

/** All jobs together send at most 500 pieces of partial output a second: an API may cut a link that chatters. */
const DELTA_INTERVAL_PER_PLACE_MS = 2;
const DELTA_INTERVAL_MS = 50;

const TIMING: DaemonTiming = {
  cancelWaitMs: 6000,
  stopGraceMs: 15_000,
  storageRetryMs: 2000,
  updateAnswerMs: 15_000,
  updateRepeatMs: 5000,
  janitorIntervalMs: 60_000,
  flushMs: 2000,
};

/**
 * Starts the daemon: takes the job database, reports what was interrupted, goes on with what was queued, connects.
 * @throws DaemonConfigError, UnusableAddressError, JobDatabaseError
 */
export async function startDaemon(options: DaemonOptions): Promise<RunningDaemon> {
  checkAddress(options);
  const runtimes = buildRuntimes(options.config, options.environment ?? process.env, options.runtimes);
  const queue = await openJobDatabase(options.dataDir);
  try {
    const daemon = new Daemon(options, queue, runtimes);
    await daemon.start();
    return daemon;
  } catch (error) {
    await queue.close().catch(() => undefined);
    throw databaseError(error, options.dataDir);
  }
}

class Daemon implements RunningDaemon {
  readonly connected: Promise<void>;
  readonly finished: Promise<DaemonEnd>;
  private markConnected: () => void = () => undefined;
  private markFinished: (end: DaemonEnd) => void = () => undefined;
  private readonly timing: DaemonTiming;
  private readonly store: JobStore;
  private readonly runner: JobRunner;
  private readonly updates: UpdateSender;
  private readonly janitor: Janitor;
  private readonly connection: RelayConnection;
  private readonly drainCut = new AbortController();
  /** What one frame of the present link may carry. */
  private frameBytes = MAX_FRAME_BYTES;
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly options: DaemonOptions,
    private readonly queue: UnitQueue,
    private readonly runtimes: ReturnType<typeof buildRuntimes>,
  ) {
    const { config, dataDir, logger } = options;
    const clock = options.clock ?? new SystemClock();
    this.timing = { ...TIMING, ...options.timing };
    const { stopGraceMs, storageRetryMs: retryMs, janitorIntervalMs: intervalMs } = this.timing;
    this.connected = new Promise((resolve) => (this.markConnected = resolve));
    this.finished = new Promise((resolve) => (this.markFinished = resolve));
    const store = new JobStore(queue, clock);
    const conversations = new ConversationStore(queue, clock);
    const workspaces = new Workspaces(resolve(dataDir), queue, clock);
    const { updateAnswerMs: answerTimeoutMs, updateRepeatMs: repeatMs } = this.timing;
    const updates = new UpdateSender({ store, logger, answerTimeoutMs, repeatMs });
    const onChanged = (jobId: string) => updates.offer(jobId);
    const onDelta: GuardParts['onDelta'] = (delta) => updates.delta(delta);
    const { concurrency } = config;
    const deltaIntervalMs = Math.max(DELTA_INTERVAL_MS, concurrency * DELTA_INTERVAL_PER_PLACE_MS);
    const guard = { workspaces, conversations, clock, logger, onDelta, stopGraceMs, deltaIntervalMs };
    this.runner = new JobRunner({ store, runtimes, guard, concurrency, logger, onChanged, retryMs });
    this.janitor = new Janitor({ store, conversations, workspaces, logger, intervalMs });
    this.store = store;
    this.updates = updates;
    this.connection = this.makeConnection(clock, onChanged);
  }

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
    this.connection.start();
  }

  stop({ drainMs }: { drainMs: number }): Promise<void> {
    if (this.stopping) {
      const timer = setTimeout(() => this.drainCut.abort(), drainMs);
      return this.stopping.finally(() => clearTimeout(timer));
    }
    this.stopping = this.stopOnce(drainMs);
    return this.stopping;
  }

  private async stopOnce(drainMs: number): Promise<void> {
    const { logger } = this.options;
    logger.info('The daemon stops', { jobsAtWork: this.runner.activeJobs });
    this.runner.hold();
    this.connection.announceDraining();
    const cut = AbortSignal.any([this.drainCut.signal, AbortSignal.timeout(drainMs)]);
    await untilAborted(this.runner.idle(), cut);
    this.runner.stopAll('shutdown');
    await untilAborted(this.runner.idle(), AbortSignal.timeout(this.timing.stopGraceMs));
    await untilAborted(this.updates.flushed(), AbortSignal.timeout(this.timing.flushMs));
    await this.connection.stop();
    this.runner.close();
    await this.janitor.stop();
    await this.queue.close().catch((error: unknown) => {
      logger.error('The job database did not close', { error: describeError(error) });
    });
    this.markFinished({ reason: 'stopped' });
  }

  private makeConnection(clock: Clock, onChanged: (jobId: string) => void): RelayConnection {
    const { url, token, config, logger, version } = this.options;
    const { store, runner, runtimes, updates } = this;
    const methods = jobMethods({
      store,
      runner,
      runtimes,
      clock,
      logger,
      queueLimit: config.queueLimit,
      isDraining: () => this.stopping !== undefined,
      onChanged,
      frameBytes: () => this.frameBytes,
      cancelWaitMs: this.timing.cancelWaitMs,
    });
    return new RelayConnection({
      url,
      token,
      methods,
      logger,
      daemon: { name: 'hello-daemon', version: version ?? '0', instanceId: new UuidGenerator().next() },
      agents: runtimes.handles,
      onReady: (session, hello) => {
        logger.info('Connected to the API', { sessionId: hello.sessionId });
        if (this.stopping) session.peer.notify('relay.draining', {});
        this.frameBytes = Math.min(MAX_FRAME_BYTES, hello.maxFrameBytes);
        updates.attach(session);
        this.markConnected();
      },
      onEnded: (end) => this.linkEnded(end),
      onFatal: (reason, message) => this.markFinished({ reason, message }),
    });
  }

  /** A link that was closed over a frame's size would be closed over it again. */
  private async linkEnded(end: LinkEnd): Promise<void> {
    const largest = this.updates.detach();
    if (end.kind !== 'closed' || end.code !== CloseCode.frameTooLarge || !largest) return;
    await this.updates.failUnsendable(largest).catch((error: unknown) => {
      this.options.logger.error('A reply that is too large cannot be replaced', {
        error: describeError(error),
      });
    });
  }
}

/** The relay's address or the token is none. */
export class UnusableAddressError extends TypeError {}

function checkAddress({ url, token, logger }: DaemonOptions): void {
  if (!URL.canParse(url)) throw new UnusableAddressError('the relay address is no URL');
  const { protocol, hostname, hash } = new URL(url);
  if (protocol !== 'ws:' && protocol !== 'wss:') {
    throw new UnusableAddressError('the relay address must begin with ws:// or wss://');
  }
  if (hash !== '') throw new UnusableAddressError('the relay address must not have a fragment (#…)');
  // It travels in a header, which takes nothing else.
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new UnusableAddressError('the relay token has characters that no token has');
  }
  const isLocal = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  if (protocol === 'ws:' && !isLocal) {
    logger.warn('The relay token travels unencrypted: use a wss:// address', { hostname });
  }
}
