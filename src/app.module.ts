import { Injectable, Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import type { DestinationStream } from 'pino';
import { AppSettingsModule } from './app.settings.js';
import type { AppConfig } from './config/index.js';
import { coreModules, type CoreModules, type CoreOptions } from './core.modules.js';
import { DatabaseHealth } from './database/index.js';
import { DocsModule } from './docs/index.js';
import { HealthModule, ReadinessProbe } from './health/index.js';
import { LoggingModule } from './logging/index.js';
import { MetricsModule, ServiceMetricsModule } from './metrics/index.js';
import { RelaySessions } from './relay/index.js';
import { HttpFailureFilter, RpcModule } from './rpc/index.js';

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

/** The whole server is the service's: what no controller of ours answers, or the router refuses, looks like its failures. */
@Module({
  imports: [RpcModule],
  providers: [{ provide: APP_FILTER, useExisting: HttpFailureFilter }],
})
class ServerFailuresModule {}

/** `/healthz`, `/readyz` and `/metrics`. */
export function operationsModules({
  relay,
  sessions,
  maintenance,
}: CoreModules): DynamicModule['imports'] & {} {
  return [
    MetricsModule,
    HealthModule.register({ imports: [sessions], probes: [DatabaseProbe, RelayProbe] }),
    ServiceMetricsModule.register({ imports: [RpcModule, relay, sessions, maintenance] }),
  ];
}

/** What others add to the service. */
export interface AppExtensions extends CoreOptions {
  /** Where log lines go instead of standard output. */
  logs?: DestinationStream;
}

/** The service as a program of its own; there is nothing else to see here. */
@Module({})
export class AppModule {
  /** @throws Error when something that is no port is replaced */
  static register(config: AppConfig, { logs, ...options }: AppExtensions = {}): DynamicModule {
    const core = coreModules({ ...options, rootCard: true });
    return {
      module: AppModule,
      imports: [
        AppSettingsModule.register({ config: { useValue: config }, ...options }),
        LoggingModule.register(logs),
        ...operationsModules(core),
        ServerFailuresModule,
        DocsModule,
        ...core.all,
      ],
    };
  }
}
