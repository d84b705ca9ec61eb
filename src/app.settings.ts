import {
  Global,
  Module,
  type DynamicModule,
  type FactoryProvider,
  type ModuleMetadata,
  type Provider,
  type ValueProvider,
} from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { AssistantSettings } from './assistants/index.js';
import { Clock, IdGenerator, LoginFailures, SystemClock, UuidGenerator } from './common/index.js';
import { AppConfig } from './config/index.js';
import type { CoreOptions } from './core.modules.js';
import { DatabaseSettings } from './database/index.js';
import { DiscoverySettings } from './discovery/index.js';
import { MaintenanceSettings } from './maintenance/index.js';
import { replacements } from './port-providers.js';
import { RelaySettings } from './relay/index.js';
import { SseSettings } from './rpc/index.js';
import { TaskSettings } from './tasks/index.js';
import { V03Settings } from './v03/index.js';

/** Each module names the settings it needs; here they are bound to the validated whole. */
const bindings = [
  {
    provide: AssistantSettings,
    useFactory: ({ store }: AppConfig) => ({ dataDir: `${store.path}-assistants` }),
  },
  { provide: DatabaseSettings, useFactory: ({ store }: AppConfig) => store },
  {
    provide: DiscoverySettings,
    useFactory: ({ http }: AppConfig) => ({ publicBaseUrl: http.publicBaseUrl }),
  },
  { provide: MaintenanceSettings, useFactory: ({ maintenance }: AppConfig) => maintenance },
  { provide: SseSettings, useFactory: ({ sse }: AppConfig) => sse },
  { provide: TaskSettings, useFactory: ({ tasks }: AppConfig) => tasks },
  { provide: V03Settings, useFactory: ({ tasks }: AppConfig) => ({ waitBudgetMs: tasks.v03WaitBudgetMs }) },
].map((binding) => ({ ...binding, inject: [AppConfig] }));

export interface SettingsOptions extends CoreOptions {
  /** How to get the validated settings. */
  config:
    Pick<ValueProvider<AppConfig>, 'useValue'> | Pick<FactoryProvider<AppConfig>, 'useFactory' | 'inject'>;
  /** Below which path of the application everything is; without slashes around it. */
  path?: string;
}

/** Settings, clock and ids for every module. */
@Global()
@Module({})
export class AppSettingsModule {
  /** @param options.imports modules that provide what the settings' factory, or another clock, injects */
  static register({ config, path = '', ...options }: SettingsOptions): DynamicModule {
    const imports: ModuleMetadata['imports'] = options.imports ?? [];
    return {
      module: AppSettingsModule,
      imports,
      providers: [
        { provide: AppConfig, ...config } as Provider,
        { provide: Clock, useClass: SystemClock },
        ...replacements([Clock], options),
        { provide: IdGenerator, useClass: UuidGenerator },
        {
          provide: LoginFailures,
          inject: [AppConfig, Clock],
          useFactory: ({ limits }: AppConfig, clock: Clock) =>
            new LoginFailures(limits.loginFailuresPerMinute, clock),
        },
        relaySettings(path),
        ...bindings,
      ],
      exports: [
        AppConfig,
        Clock,
        IdGenerator,
        LoginFailures,
        RelaySettings,
        ...bindings.map(({ provide }) => provide),
      ],
    };
  }
}

/** The relay is no controller, so that the application's prefix does not come by itself; it is known once modules are made. */
function relaySettings(path: string): Provider {
  return {
    provide: RelaySettings,
    inject: [AppConfig, ApplicationConfig],
    useFactory: ({ relay }: AppConfig, application: ApplicationConfig): RelaySettings => ({
      ...relay,
      get path() {
        return pathOf(application.getGlobalPrefix(), path, 'relay');
      },
    }),
  };
}

/** Joins parts of a path, whatever slashes they have around them. */
export function pathOf(...parts: string[]): string {
  return parts
    .flatMap((part) => part.split('/'))
    .filter((segment) => segment !== '')
    .map((segment) => `/${segment}`)
    .join('');
}
