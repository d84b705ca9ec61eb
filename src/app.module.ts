import { Global, Injectable, Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import type { DestinationStream } from 'pino';
import { AppSettingsModule } from './app.settings.js';
import { AccountsModule, ApiKeys } from './accounts/index.js';
import type { AppConfig } from './config/index.js';
import { DatabaseHealth, DatabaseModule } from './database/index.js';
import { AgentDirectory, DirectoryModule } from './directory/index.js';
import { DiscoveryModule } from './discovery/index.js';
import { DocsModule } from './docs/index.js';
import { HealthModule, ReadinessProbe } from './health/index.js';
import { LimitsModule, RpcRateLimiter } from './limits/index.js';
import { LoggingModule } from './logging/index.js';
import { MaintenanceModule } from './maintenance/index.js';
import { MetricsModule, ServiceMetricsModule } from './metrics/index.js';
import { RelayGatewayModule, RelaySessions, RelaySessionsModule } from './relay/index.js';
import { RpcAdmission, RpcModule } from './rpc/index.js';
import { TasksModule } from './tasks/index.js';
import { V03Module } from './v03/index.js';
import { V1Module } from './v1/index.js';

@Injectable()
class DatabaseProbe extends ReadinessProbe {
  readonly name = 'database';

  constructor(private readonly database: DatabaseHealth) {
    super();
  }

  isReady(): Promise<boolean> {
    return this.database.isReady();
  }
}

@Injectable()
class RelayProbe extends ReadinessProbe {
  readonly name = 'relay';

  constructor(private readonly sessions: RelaySessions) {
    super();
  }

  isReady(): boolean {
    return this.sessions.listening;
  }
}

/** The port of `rpc` that asks before a call, answered by `limits`; neither knows the other. */
@Global()
@Module({
  imports: [LimitsModule],
  providers: [{ provide: RpcAdmission, useExisting: RpcRateLimiter }],
  exports: [RpcAdmission],
})
class AdmissionModule {}

/** The port of `accounts` that knows API keys, answered by the directory. */
@Injectable()
class DirectoryApiKeys extends ApiKeys {
  constructor(private readonly directory: AgentDirectory) {
    super();
  }

  findAccount(key: string): Promise<string | undefined> {
    return this.directory.findAccountByApiKey(key);
  }
}

@Global()
@Module({ providers: [{ provide: ApiKeys, useClass: DirectoryApiKeys }], exports: [ApiKeys] })
class ApiKeysModule {}

/** What others add: modules, whose `@A2AHandler` classes and controllers answer beside those of the service. */
export interface AppExtensions extends Pick<ModuleMetadata, 'imports'> {
  /** Where log lines go instead of standard output. */
  logs?: DestinationStream;
}

/** Puts the feature modules together; there is nothing else to see here. */
@Module({})
export class AppModule {
  static register(config: AppConfig, extensions: AppExtensions = {}): DynamicModule {
    const maintenance = MaintenanceModule.register({ imports: [RelaySessionsModule] });
    return {
      module: AppModule,
      imports: [
        AppSettingsModule.register(config),
        LoggingModule.register(extensions.logs),
        MetricsModule,
        DatabaseModule.register(),
        DirectoryModule,
        TasksModule.register({ imports: [RelaySessionsModule] }),
        RelayGatewayModule,
        maintenance,
        HealthModule.register({ imports: [RelaySessionsModule], probes: [DatabaseProbe, RelayProbe] }),
        AdmissionModule,
        ApiKeysModule,
        DiscoveryModule.register({ imports: [AccountsModule] }),
        V1Module.register({ imports: [RpcModule, AccountsModule] }),
        V03Module.register({ imports: [RpcModule, AccountsModule] }),
        DocsModule,
        ServiceMetricsModule.register({
          imports: [RpcModule, RelayGatewayModule, RelaySessionsModule, maintenance],
        }),
        ...(extensions.imports ?? []),
      ],
    };
  }
}
