import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { JobExecutor } from '../tasks/index.js';
import { IN_PROCESS } from '../directory/index.js';
import { CarefulJobExecutor } from './careful-job-executor.js';
import { DividedJobExecutor } from './divided-job-executor.js';
import { LocalComputers } from './local-computers.service.js';
import { RelayAdmission } from './relay-admission.js';
import { RelayAttendance } from './relay-attendance.service.js';
import { RelayAuthenticator } from './relay-authenticator.service.js';
import { RelayJobExecutor } from './relay-job-executor.js';
import { RelayListener } from './relay-listener.js';
import { RelayPresence } from './relay-presence.service.js';
import { RelayReception } from './relay-reception.js';
import { RelaySessions } from './relay-sessions.registry.js';
import { RelayStatistics } from './relay-statistics.js';
import { SessionServices } from './session-services.js';

/** What runs the jobs of all computers but this process: the part that another implementation replaces. */
export const REMOTE_EXECUTOR = Symbol('hello:remote-executor');

/** In-process jobs never leave the process, which alone knows them. */
function executorOf(remote: JobExecutor, local: RelayJobExecutor): JobExecutor {
  if (remote === local) return local;
  const careful = new CarefulJobExecutor(remote);
  return new DividedJobExecutor({
    remote: careful,
    local,
    isLocal: (computerId) => computerId === IN_PROCESS,
  });
}

/**
 * The computers that are connected, and how jobs get to them. Needs nothing of the tasks, which need it. Expects
 * `RelaySettings`, `AgentDirectory` and `DirectoryEvents` from global modules.
 */
@Module({
  providers: [
    RelayAuthenticator,
    RelaySessions,
    RelayJobExecutor,
    { provide: REMOTE_EXECUTOR, useExisting: RelayJobExecutor },
    { provide: JobExecutor, inject: [REMOTE_EXECUTOR, RelayJobExecutor], useFactory: executorOf },
  ],
  exports: [RelayAuthenticator, RelaySessions, JobExecutor],
})
export class RelaySessionsModule {}

/**
 * The address at which daemons connect, and the way in for those of this process. Expects `RelaySettings`, `AgentDirectory`,
 * `Clock`, `IdGenerator`, `LoginFailures`, `TaskReports` and `TaskRefresher` from global modules.
 */
@Module({
  providers: [
    RelayListener,
    RelayAdmission,
    RelayReception,
    RelayAttendance,
    RelayPresence,
    LocalComputers,
    SessionServices,
    {
      provide: RelayStatistics,
      inject: [SessionServices],
      useFactory: ({ statistics }: SessionServices) => statistics,
    },
  ],
  exports: [RelayStatistics, LocalComputers],
})
export class RelayGatewayModule {
  /** @param imports the `RelaySessionsModule`, as the application has set it up */
  static register({ imports }: Required<Pick<ModuleMetadata, 'imports'>>): DynamicModule {
    return { module: RelayGatewayModule, imports };
  }
}
