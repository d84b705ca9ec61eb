import { Global, Injectable, Module, type DynamicModule, type Type } from '@nestjs/common';
import { AccountTokenVerifier, AccountsModule, ApiKeys } from './accounts/index.js';
import { AssistantsModule } from './assistants/index.js';
import { DatabaseModule } from './database/index.js';
import { AgentDirectory, DirectoryModule, STORED_DIRECTORY } from './directory/index.js';
import { DiscoveryModule } from './discovery/index.js';
import { LimitsModule, RpcRateLimiter } from './limits/index.js';
import { MaintenanceModule } from './maintenance/index.js';
import { refuseForeignPorts, replacements, type PortProvider } from './port-providers.js';
import { REMOTE_EXECUTOR, RelayGatewayModule, RelaySessionsModule } from './relay/index.js';
import { RpcAdmission, RpcModule } from './rpc/index.js';
import { JobExecutor, MessageQuota, TaskStore, TasksModule } from './tasks/index.js';
import { V03Module } from './v03/index.js';
import { V1Module } from './v1/index.js';

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

export interface CoreOptions {
  /** Modules whose handlers answer beside those of the service, and whose exports the replaced ports may inject. */
  imports?: NonNullable<DynamicModule['imports']>;
  /** What stands in the place of a default. */
  ports?: readonly PortProvider[];
}

/** The modules that answer callers and daemons, in whatever application they stand. */
export interface CoreModules {
  all: NonNullable<DynamicModule['imports']>;
  /** Those with numbers to show that are not global. */
  relay: DynamicModule;
  sessions: DynamicModule;
  maintenance: DynamicModule;
}

/**
 * Puts the feature modules together. Settings, clock and ids come from `AppSettingsModule`.
 * @param options.rootCard whether `/.well-known/agent-card.json` explains that there is no card
 */
export function coreModules({ rootCard, ...options }: CoreOptions & { rootCard: boolean }): CoreModules {
  refuseForeignPorts(options.ports);
  const accounts = withPort(AccountsModule, AccountTokenVerifier, options);
  const sessions = sessionsModule(options);
  const relay = RelayGatewayModule.register({ imports: [sessions] });
  const maintenance = MaintenanceModule.register({ imports: [sessions] });
  const tasks = TasksModule.register({ imports: [sessions, ...(options.imports ?? [])] });
  const all = [
    DatabaseModule.register(),
    directoryModule(options),
    {
      ...tasks,
      providers: [...(tasks.providers ?? []), ...replacements([TaskStore, MessageQuota], options)],
    },
    relay,
    AssistantsModule.register({ imports: [relay] }),
    maintenance,
    AdmissionModule,
    ApiKeysModule,
    DiscoveryModule.register({ imports: [accounts, RpcModule], rootCard }),
    V1Module.register({ imports: [RpcModule, accounts] }),
    V03Module.register({ imports: [RpcModule, accounts] }),
    ...(options.imports ?? []),
  ];
  return { all, relay, sessions, maintenance };
}

/** The last provider of a token stands, and those of a dynamic module come behind those of its class. */
function withPort(module: Type, port: PortProvider['provide'], options: CoreOptions): DynamicModule {
  return { module, imports: [...(options.imports ?? [])], providers: replacements([port], options) };
}

/** Another executor stands beside the one for the jobs of this process. */
function sessionsModule(options: CoreOptions): DynamicModule {
  const { providers = [], ...module } = withPort(RelaySessionsModule, JobExecutor, options);
  const remote = (providers as PortProvider[]).map((port) => ({ ...port, provide: REMOTE_EXECUTOR }));
  return { ...module, providers: remote };
}

/** Another directory stands under the entries that code brings, as the stored one does. */
function directoryModule(options: CoreOptions): DynamicModule {
  const stored = replacements([AgentDirectory], options);
  return {
    module: DirectoryModule,
    imports: options.imports ?? [],
    providers: stored.map((port) => ({ ...port, provide: STORED_DIRECTORY })),
  };
}
