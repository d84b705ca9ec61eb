import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../common/index.js';
import { openLocalDaemon, type DaemonLogger, type LocalDaemon } from '../daemon/index.js';
import { IN_PROCESS } from '../directory/index.js';
import { LocalComputers, type LocalLink } from '../relay/index.js';
import { AssistantRegistry } from './assistant.registry.js';
import { AssistantSettings } from './assistant-settings.js';

/** Jobs of all assistants that run at once: they mostly wait for others, and do not compute. */
const CONCURRENCY = 100;
/** Jobs that wait for their turn; past that messages are refused with 503. */
const QUEUE_LIMIT = 1_000;

/** What a stop may take, in milliseconds; together well within the ten seconds of requirement R8. */
const DRAIN_MS = 2_000;
const STOP_TIMING = { stopGraceMs: 1_500, flushMs: 1_000 };

/** Runs the assistants: a daemon in this process, with its own job database. Without an assistant there is none. */
@Injectable()
export class AssistantHost implements OnApplicationBootstrap, OnModuleDestroy {
  private daemon: LocalDaemon | undefined;
  private link: LocalLink | undefined;

  constructor(
    private readonly registry: AssistantRegistry,
    private readonly computers: LocalComputers,
    private readonly settings: AssistantSettings,
    private readonly clock: Clock,
  ) {}

  /** @throws AgentInCodeError, JobDatabaseError */
  async onApplicationBootstrap(): Promise<void> {
    if (this.registry.byHandle.size === 0) return;
    await this.registry.requireFree();
    this.daemon = await openLocalDaemon({
      runtimes: this.registry.byHandle,
      concurrency: CONCURRENCY,
      queueLimit: QUEUE_LIMIT,
      dataDir: this.settings.dataDir,
      logger: loggerOfDaemon(),
      clock: this.clock,
      timing: STOP_TIMING,
    });
    this.link = this.computers.open(IN_PROCESS, this.daemon.methods);
    await this.daemon.start(this.link);
    await this.computers.reconcile(IN_PROCESS);
  }

  /** Ends what runs while its end can still be stored: what is left is failed, and says why. */
  async onModuleDestroy(): Promise<void> {
    this.link?.drain();
    await this.daemon?.drain(DRAIN_MS);
    this.link?.close();
    await this.daemon?.close();
  }
}

function loggerOfDaemon(): DaemonLogger {
  const logger = new Logger('Assistants');
  return {
    info: (msg, fields) => logger.log({ msg, ...fields }),
    warn: (msg, fields) => logger.warn({ msg, ...fields }),
    error: (msg, fields) => logger.error({ msg, ...fields }),
  };
}
