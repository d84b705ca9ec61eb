import type { Clock } from '../common/index.js';
import { MAX_FRAME_BYTES, type JsonRpcPeer, type MethodHandler } from '../relay-protocol/index.js';
import { CORE_TIMING, DaemonCore, type CoreTiming } from './daemon-core.js';
import type { DaemonLogger } from './daemon-logger.js';
import { BuiltRuntimes, type Runtime } from './runtimes/index.js';
import { databaseError, openJobDatabase } from './storage/index.js';

export interface LocalDaemonOptions {
  /** Runtimes by the agent's handle, each with the time that one run may take, and its name in the log. */
  runtimes: ReadonlyMap<string, { runtime: Runtime; timeoutMs: number; origin?: string }>;
  concurrency: number;
  queueLimit: number;
  /** Folder for the job database and the workspaces; made private to the user. */
  dataDir: string;
  logger: DaemonLogger;
  clock: Clock;
  timing?: Partial<CoreTiming>;
}

/** A daemon in the process of the API. */
export interface LocalDaemon {
  /** What the API calls. */
  readonly methods: Record<string, MethodHandler>;
  /** Goes on with what the last process left, and reports through the peer until the signal is aborted. */
  start(link: { peer: JsonRpcPeer; ended: AbortSignal }): Promise<void>;
  /** Takes no more jobs, lets those at work go on for `drainMs`, and fails the rest; the link must still be there. */
  drain(drainMs: number): Promise<void>;
  /** Closes the job database. */
  close(): Promise<void>;
}

/** Partial output crosses no network here; the interval only keeps a chatty assistant from waking every reader for a letter. */
const DELTA_INTERVAL_MS = 50;

/**
 * Takes a job database for runtimes of this process: the same jobs, limits and promises as behind the relay, without
 * a socket.
 * @throws JobDatabaseError
 */
export async function openLocalDaemon(options: LocalDaemonOptions): Promise<LocalDaemon> {
  const { concurrency, queueLimit, dataDir, logger, clock } = options;
  const queue = await openJobDatabase(dataDir);
  const runtimes = new BuiltRuntimes(
    new Map([...options.runtimes].map(([handle, entry]) => [handle, { ...entry, environment: {} }])),
  );
  const timing = { ...CORE_TIMING, ...options.timing };
  const core = new DaemonCore(
    { concurrency, queueLimit, dataDir, logger, clock, timing, deltaIntervalMs: DELTA_INTERVAL_MS },
    queue,
    runtimes,
  );
  return {
    methods: core.methods,
    start: async ({ peer, ended }) => {
      try {
        await core.start();
      } catch (error) {
        throw databaseError(error, dataDir);
      }
      // Frames go from hand to hand: none is too large, and none waits to be written.
      const link = { peer, ended, fits: () => true, drained: async () => undefined, congested: false };
      core.attach(link, MAX_FRAME_BYTES);
      ended.addEventListener('abort', () => void core.detach(false), { once: true });
    },
    drain: (drainMs) => {
      core.hold();
      return core.drain(AbortSignal.timeout(drainMs));
    },
    close: () => core.close(),
  };
}
