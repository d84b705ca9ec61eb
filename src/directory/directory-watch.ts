import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { READER, describeError } from '../common/index.js';
import { DirectoryEvents } from './directory-events.js';
import { directoryVersion } from './directory-version.js';

/** How long a change by another process may go unnoticed; one look reads a single row. */
const INTERVAL_MS = 1000;

/**
 * Notices what other processes change in the directory (commands, another service) and announces it as if it
 * had been changed here: a revoked relay token closes its socket at once, and not at the next heartbeat (R1).
 */
@Injectable()
export class DirectoryWatch implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #logger = new Logger('Directory');
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #seen: number | undefined;
  #blind = false;

  constructor(
    @InjectDataSource(READER) private readonly reader: DataSource,
    private readonly events: DirectoryEvents,
  ) {}

  onApplicationBootstrap(): void {
    this.#timer = setInterval(() => this.#look(), INTERVAL_MS);
    this.#timer.unref();
  }

  /** Ends the look that is on its way before the database closes. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  /**
   * Looks once, and announces a change of any process, this one included.
   * @throws when the database cannot be read
   */
  async runOnce(): Promise<void> {
    const version = await directoryVersion(this.reader);
    if (version === this.#seen) return;
    this.#seen = version;
    this.events.announceReloaded();
  }

  #look(): void {
    this.#looking ??= this.runOnce()
      .then(() => {
        this.#blind = false;
      })
      .catch((error: unknown) => {
        // Once, not every second: a database that cannot be read is reported by whatever else needs it.
        if (!this.#blind) {
          this.#logger.error(`Changes of the directory cannot be noticed: ${describeError(error)}`);
        }
        this.#blind = true;
      })
      .finally(() => {
        this.#looking = undefined;
      });
  }
}
