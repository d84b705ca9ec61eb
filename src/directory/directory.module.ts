import { Global, Module } from '@nestjs/common';
import { AgentDirectory } from './agent-directory.js';
import { DirectoryEvents } from './directory-events.js';
import { DirectoryWatch } from './directory-watch.js';
import { DirectoryImport } from './import/directory-import.js';
import { DirectoryReloader } from './import/directory-reloader.js';
import { TypeOrmAgentDirectory } from './store/type-orm-agent-directory.js';

/**
 * Whom one can call. Global, since most modules ask. Needs `AppConfig`, `Clock`, `WriteQueue` and the data
 * source `READER` from global modules.
 */
@Global()
@Module({
  providers: [
    { provide: AgentDirectory, useClass: TypeOrmAgentDirectory },
    DirectoryEvents,
    DirectoryImport,
    DirectoryReloader,
    DirectoryWatch,
  ],
  exports: [AgentDirectory, DirectoryEvents, DirectoryImport],
})
export class DirectoryModule {}
