import { Module } from '@nestjs/common';
import { Clock, SystemClock } from '../common/index.js';
import { AgentDirectory } from './agent-directory.js';
import { DirectoryEvents } from './directory-events.js';
import { DirectoryImport } from './import/directory-import.js';
import { DirectoryReloader } from './import/directory-reloader.js';
import { TypeOrmAgentDirectory } from './store/type-orm-agent-directory.js';

/** Whom one can call. Needs the global modules of the database (`READER`, `WriteQueue`) and the settings. */
@Module({
  providers: [
    { provide: Clock, useClass: SystemClock },
    { provide: AgentDirectory, useClass: TypeOrmAgentDirectory },
    DirectoryEvents,
    DirectoryImport,
    DirectoryReloader,
  ],
  exports: [AgentDirectory, DirectoryEvents, DirectoryImport],
})
export class DirectoryModule {}
