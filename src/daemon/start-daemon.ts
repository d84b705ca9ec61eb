import { SystemClock, UuidGenerator, type Clock } from '../common/index.js';
import { CloseCode } from '../relay-protocol/index.js';
import { CORE_TIMING, DaemonCore, type CoreOptions, type CoreTiming } from './daemon-core.js';
import { checkDaemonOptions } from './check-daemon-options.js';
import type { DaemonConfig } from './daemon.config.js';
import type { DaemonLogger } from './daemon-logger.js';
import { RelayConnection, type FatalReason } from './link/index.js';
import { buildRuntimes, type BuiltRuntimes, type Runtime } from './runtimes/index.js';
import { databaseError, openJobDatabase, type UnitQueue } from './storage/index.js';

export interface DaemonOptions {
  /** `ws://` or `wss://` address of the API's relay. */
  url: string;
  /** Relay token of this computer (`rt_…`). */
  token: string;
  config: DaemonConfig;
  /** Folder for the job database and the workspaces; made private to the user. */
  dataDir: string;
  /** The console if absent. */
  logger?: DaemonLogger;
  version?: string;
  clock?: Clock;
  /** Runtimes made in code, by the agent's handle; they take precedence over the configuration. */
  runtimes?: Readonly<Record<string, Runtime>>;
  /** The environment from which programs and keys get what the configuration names; the process's own by default. */
  environment?: Readonly<Record<string, string | undefined>>;
  timing?: Partial<CoreTiming>;
}

type LoggingOptions = DaemonOptions & { logger: DaemonLogger };

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

/**
 * Starts the daemon: takes the job database, reports what was interrupted, goes on with what was queued, connects.
 * @throws DaemonConfigError, UnusableAddressError, JobDatabaseError
 */
export async function startDaemon(given: DaemonOptions): Promise<RunningDaemon> {
  checkDaemonOptions(given);
  const options = { ...given, logger: given.logger ?? console };
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
  private readonly core: DaemonCore;
  private readonly connection: RelayConnection;
  private readonly drainCut = new AbortController();
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly options: LoggingOptions,
    queue: UnitQueue,
    runtimes: BuiltRuntimes,
  ) {
    const { config, dataDir, logger } = options;
    const { concurrency, queueLimit } = config;
    this.connected = new Promise((resolve) => (this.markConnected = resolve));
    this.finished = new Promise((resolve) => (this.markFinished = resolve));
    const core: CoreOptions = {
      concurrency,
      queueLimit,
      dataDir,
      logger,
      clock: options.clock ?? new SystemClock(),
      timing: { ...CORE_TIMING, ...options.timing },
      deltaIntervalMs: Math.max(DELTA_INTERVAL_MS, concurrency * DELTA_INTERVAL_PER_PLACE_MS),
    };
    this.core = new DaemonCore(core, queue, runtimes);
    this.connection = this.makeConnection(runtimes.handles);
  }

  async start(): Promise<void> {
    await this.core.start();
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
    this.options.logger.info('The daemon stops', { jobsAtWork: this.core.activeJobs });
    this.core.hold();
    this.connection.announceDraining();
    await this.core.drain(AbortSignal.any([this.drainCut.signal, AbortSignal.timeout(drainMs)]));
    await this.connection.stop();
    await this.core.close();
    this.markFinished({ reason: 'stopped' });
  }

  private makeConnection(agents: string[]): RelayConnection {
    const { url, token, logger, version } = this.options;
    return new RelayConnection({
      url,
      token,
      methods: this.core.methods,
      logger,
      daemon: { name: 'hello-daemon', version: version ?? '0', instanceId: new UuidGenerator().next() },
      agents,
      onReady: (session, hello) => {
        logger.info('Connected to the API', { sessionId: hello.sessionId });
        if (this.core.isHeld) session.peer.notify('relay.draining', {});
        this.core.attach(session, hello.maxFrameBytes);
        this.markConnected();
      },
      onEnded: (end) => this.core.detach(end.kind === 'closed' && end.code === CloseCode.frameTooLarge),
      onFatal: (reason, message) => this.markFinished({ reason, message }),
    });
  }
}

/** The relay's address or the token is none. */
export class UnusableAddressError extends TypeError {}

function checkAddress({ url, token, logger }: LoggingOptions): void {
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
