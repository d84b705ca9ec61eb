import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { describeError } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { DirectoryImport } from './directory-import.js';

/**
 * Imports the directory file at start-up, where a bad file stops the start, and again on SIGHUP, where a bad
 * file changes nothing and is reported. Without a file SIGHUP keeps its usual meaning.
 */
@Injectable()
export class DirectoryReloader implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #logger = new Logger('Directory');
  readonly #onHangUp = () => void this.#reload();

  constructor(
    private readonly config: AppConfig,
    private readonly directoryImport: DirectoryImport,
  ) {}

  /** @throws DirectoryFileError when the file cannot be used */
  async onApplicationBootstrap(): Promise<void> {
    if (this.config.directory.file === undefined) return;
    await this.directoryImport.run();
    process.on('SIGHUP', this.#onHangUp);
  }

  onModuleDestroy(): void {
    process.off('SIGHUP', this.#onHangUp);
  }

  async #reload(): Promise<void> {
    try {
      await this.directoryImport.run();
    } catch (error) {
      this.#logger.error(`The directory was not reloaded and stays as it was. ${describeError(error)}`);
    }
  }
}
