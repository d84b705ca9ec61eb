import { Module } from '@nestjs/common';
import { DirectoryModule } from '../directory/index.js';
import { JobExecutor } from '../tasks/index.js';
import { RelayAttendance } from './relay-attendance.service.js';
import { RelayAuthenticator } from './relay-authenticator.service.js';
import { RelayJobExecutor } from './relay-job-executor.js';
import { RelayPresence } from './relay-presence.service.js';
import { RelaySessions } from './relay-sessions.registry.js';
import { RelayStatistics } from './relay-statistics.js';
import { RelayGateway } from './relay.gateway.js';
import { SessionServices } from './session-services.js';

/**
 * The computers that are connected, and how jobs get to them. Needs nothing of the tasks, which need it. Expects
 * `RelaySettings` from a global module.
 */
@Module({
  imports: [DirectoryModule],
  providers: [RelayAuthenticator, RelaySessions, { provide: JobExecutor, useClass: RelayJobExecutor }],
  exports: [RelayAuthenticator, RelaySessions, JobExecutor],
})
export class RelaySessionsModule {}

/**
 * The address at which daemons connect. Expects `RelaySettings`, `Clock`, `IdGenerator`, `TaskReports` and
 * `TaskRefresher` from global modules.
 */
@Module({
  imports: [RelaySessionsModule, DirectoryModule],
  providers: [
    RelayGateway,
    RelayAttendance,
    RelayPresence,
    SessionServices,
    {
      provide: RelayStatistics,
      inject: [SessionServices],
      useFactory: ({ statistics }: SessionServices) => statistics,
    },
  ],
  exports: [RelayStatistics],
})
export class RelayGatewayModule {}
