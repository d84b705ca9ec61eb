import { Injectable, Logger } from '@nestjs/common';
import { Clock, WriteQueue } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { DirectoryEvents } from '../directory-events.js';
import { applyDirectory, type ImportSummary } from './apply-directory.js';
import { parseDirectoryFile } from './parse-directory-file.js';
import { readBoundedFile } from './read-bounded-file.js';

/** Brings the directory to the state of DIRECTORY_FILE, all or nothing. */
@Injectable()
export class DirectoryImport {
  readonly #logger = new Logger('Directory');
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<ImportSummary | undefined> | undefined;

  constructor(
    private readonly config: AppConfig,
    private readonly queue: WriteQueue,
    private readonly clock: Clock,
    private readonly events: DirectoryEvents,
  ) {}

  /**
   * Imports run one after another; calls that come before the next one has begun share it.
   * @returns what changed, or `undefined` when no file is set
   * @throws DirectoryFileError with every fault of the file; nothing was changed then
   * @throws StorageUnavailableError when the database cannot be written
   */
  run(): Promise<ImportSummary | undefined> {
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      const import_ = this.#import();
      this.#running = import_.catch(() => undefined);
      return import_;
    });
    return this.#next;
  }

  async #import(): Promise<ImportSummary | undefined> {
    const { file } = this.config.directory;
    if (file === undefined) return undefined;
    const content = parseDirectoryFile(await readBoundedFile(file));
    const summary = await this.queue.write((manager) => applyDirectory(manager, content, this.clock.now()));
    this.#logger.log(
      `Directory read: ${content.accounts.length} accounts, ${content.computers.length} computers, ` +
        `${content.agents.length} agents; ${summary.changed} entries changed, ${summary.deactivated} deactivated`,
    );
    this.events.announceReloaded();
    return summary;
  }
}
