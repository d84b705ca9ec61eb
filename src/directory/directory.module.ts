import { Global, Module } from '@nestjs/common';
import { AgentDirectory, STORED_DIRECTORY } from './agent-directory.js';
import { CarefulAgentDirectory } from './careful-agent-directory.js';
import { AgentsInCode } from './code/agents-in-code.js';
import { MergedAgentDirectory } from './code/merged-agent-directory.js';
import { DirectoryEvents } from './directory-events.js';
import { DirectoryWatch } from './directory-watch.js';
import { DirectoryImport } from './import/directory-import.js';
import { DirectoryReloader } from './import/directory-reloader.js';
import { TypeOrmAgentDirectory } from './store/type-orm-agent-directory.js';

/** Of the one that comes with the package everything is known. */
function careful(stored: AgentDirectory): AgentDirectory {
  return stored instanceof TypeOrmAgentDirectory ? stored : new CarefulAgentDirectory(stored);
}

/**
 * Whom one can call. Global, since most modules ask. Needs `AppConfig`, `Clock`, `WriteQueue` and the data
 * source `READER` from global modules.
 */
@Global()
@Module({
  providers: [
    { provide: STORED_DIRECTORY, useClass: TypeOrmAgentDirectory },
    AgentsInCode,
    {
      provide: AgentDirectory,
      inject: [STORED_DIRECTORY, AgentsInCode],
      useFactory: (stored: AgentDirectory, inCode: AgentsInCode) =>
        new MergedAgentDirectory(careful(stored), inCode),
    },
    DirectoryEvents,
    DirectoryImport,
    DirectoryReloader,
    DirectoryWatch,
  ],
  exports: [AgentDirectory, STORED_DIRECTORY, AgentsInCode, DirectoryEvents, DirectoryImport],
})
export class DirectoryModule {}
