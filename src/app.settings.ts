import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Clock, IdGenerator, LoginFailures, SystemClock, UuidGenerator } from './common/index.js';
import { AppConfig } from './config/index.js';
import { DatabaseSettings } from './database/index.js';
import { DiscoverySettings } from './discovery/index.js';
import { MaintenanceSettings } from './maintenance/index.js';
import { RelaySettings } from './relay/index.js';
import { SseSettings } from './rpc/index.js';
import { TaskSettings } from './tasks/index.js';
import { V03Settings } from './v03/index.js';

/** Each module names the settings it needs; here they are bound to the validated whole. */
const bindings = [
  { provide: DatabaseSettings, useFactory: ({ store }: AppConfig) => store },
  {
    provide: DiscoverySettings,
    useFactory: ({ http }: AppConfig) => ({ publicBaseUrl: http.publicBaseUrl }),
  },
  { provide: MaintenanceSettings, useFactory: ({ maintenance }: AppConfig) => maintenance },
  { provide: RelaySettings, useFactory: ({ relay }: AppConfig) => relay },
  { provide: SseSettings, useFactory: ({ sse }: AppConfig) => sse },
  { provide: TaskSettings, useFactory: ({ tasks }: AppConfig) => tasks },
  { provide: V03Settings, useFactory: ({ tasks }: AppConfig) => ({ waitBudgetMs: tasks.v03WaitBudgetMs }) },
].map((binding) => ({ ...binding, inject: [AppConfig] }));

/** Settings, clock and ids for every module. */
@Global()
@Module({})
export class AppSettingsModule {
  static register(config: AppConfig): DynamicModule {
    return {
      module: AppSettingsModule,
      providers: [
        { provide: AppConfig, useValue: config },
        { provide: Clock, useClass: SystemClock },
        { provide: IdGenerator, useClass: UuidGenerator },
        {
          provide: LoginFailures,
          inject: [AppConfig, Clock],
          useFactory: ({ limits }: AppConfig, clock: Clock) =>
            new LoginFailures(limits.loginFailuresPerMinute, clock),
        },
        ...bindings,
      ],
      exports: [AppConfig, Clock, IdGenerator, LoginFailures, ...bindings.map(({ provide }) => provide)],
    };
  }
}
