import {
  Logger,
  Module,
  Optional,
  type DynamicModule,
  type FactoryProvider,
  type MiddlewareConsumer,
  type ModuleMetadata,
  type NestModule,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ApplicationConfig, ModuleRef, ModulesContainer, RouterModule } from '@nestjs/core';
import { operationsModules } from './app.module.js';
import { AppSettingsModule, pathOf, type SettingsOptions } from './app.settings.js';
import { AccountTokenVerifier } from './accounts/index.js';
import { IdGenerator } from './common/index.js';
import { AppConfig, configOf, type ModuleSettings } from './config/index.js';
import { coreModules, type CoreOptions } from './core.modules.js';
import { AGENT_DOCUMENT_CONTROLLERS, DiscoveryModule } from './discovery/index.js';
import { HealthModule } from './health/index.js';
import { applicationLog, oncePerRequest, requestLog } from './logging/index.js';
import { MetricsModule } from './metrics/index.js';
import { checkAsyncOptions, checkOptions, checkSettings } from './module-options.js';
import type { PortProvider } from './port-providers.js';
import { V03Controller, V03Module } from './v03/index.js';
import { V1Controller, V1Module } from './v1/index.js';

/** What does not come from settings. */
export interface HelloApiParts extends CoreOptions {
  /** Below which path everything is, behind the application's own prefix; the root by default. */
  path?: string;
  /** Adds `healthz`, `readyz` and `metrics` below the path; absent by default, since applications have their own. */
  operations?: boolean;
}

export interface HelloApiOptions extends HelloApiParts {
  /** By the names of `.env.example`. `PUBLIC_BASE_URL` is required, and ends with the application's prefix and the path. */
  settings: ModuleSettings;
}

/** As `HelloApiOptions`, with settings that are only known when the application is made. */
export interface HelloApiAsyncOptions
  extends
    HelloApiParts,
    Pick<FactoryProvider<ModuleSettings | Promise<ModuleSettings>>, 'inject' | 'useFactory'> {}

const CONTROLLERS = [V1Controller, V03Controller, ...AGENT_DOCUMENT_CONTROLLERS];

/**
 * hello-api as a part of a Nest application: the assistants' addresses, the relay, and everything behind them, beside the
 * application's own controllers, filters, sockets and database. Import it once.
 *
 * The application is created with `{ rawBody: true }`, or with `{ bodyParser: false }`: the bodies of calls are read strictly.
 */
@Module({})
export class HelloApiModule implements NestModule, OnApplicationBootstrap {
  private readonly logger = new Logger('HelloApi');

  /** @throws Error when the class itself is imported, which has none of what it needs */
  constructor(
    @Optional() private readonly config: AppConfig,
    @Optional() private readonly ids: IdGenerator,
    private readonly application: ApplicationConfig,
    private readonly module: ModuleRef,
  ) {
    if (!(config as AppConfig | undefined)) {
      throw new Error(
        'HelloApiModule is imported without settings; import HelloApiModule.forRoot({ settings })',
      );
    }
  }

  /**
   * @throws ConfigError naming every setting that is wrong
   * @throws Error for an option that is not known or of wrong form, and when something that is no port is replaced
   */
  static forRoot(options: HelloApiOptions): DynamicModule {
    checkOptions(options);
    const { settings, ...parts } = options;
    const config = configOf(settings, verification(parts.ports));
    return moduleOf(parts, { useFactory: () => config });
  }

  /** The start ends with what `forRoot` throws, or with what the factory does. */
  static forRootAsync(options: HelloApiAsyncOptions): DynamicModule {
    checkAsyncOptions(options);
    const { useFactory, inject = [], ...parts } = options;
    return moduleOf(parts, {
      inject,
      useFactory: async (...injected: unknown[]) => {
        const settings = await useFactory(...injected);
        checkSettings('HelloApiModule.forRootAsync: what useFactory returned', settings);
        return configOf(settings, verification(parts.ports));
      },
    });
  }

  /** Gives calls and cards their request id and their log line; all other requests are the application's. */
  configure(consumer: MiddlewareConsumer): void {
    const log = requestLog(applicationLog(), () => this.ids.next());
    consumer.apply(oncePerRequest(log)).forRoutes(...CONTROLLERS);
  }

  /** A proxy may add or take away parts of a path, so that this is no more than a hint. */
  onApplicationBootstrap(): void {
    const mounted = pathOf(this.application.getGlobalPrefix(), this.module.get(MountPath).path);
    const { pathname } = new URL(this.config.http.publicBaseUrl);
    if (pathOf(pathname).endsWith(mounted)) return;
    this.logger.warn(
      `PUBLIC_BASE_URL does not end with ${mounted}, where the module is mounted; cards name it`,
    );
  }
}

/** Everything asks for the settings first, so that nothing else of a second module complains before. */
function onlyOnce({
  inject = [],
  useFactory,
}: Pick<FactoryProvider<AppConfig>, 'inject' | 'useFactory'>): SettingsOptions['config'] {
  return {
    inject: [ModulesContainer, ...inject],
    useFactory: (modules: ModulesContainer, ...injected: unknown[]) => {
      const count = [...modules.values()].filter(({ metatype }) => metatype === HelloApiModule).length;
      if (count === 1) return useFactory(...injected);
      throw new Error(
        `HelloApiModule is imported ${count} times; import it once, and the dynamic module that forRoot returned wherever else it is needed`,
      );
    },
  };
}

class MountPath {
  constructor(readonly path: string) {}
}

function verification(ports: readonly PortProvider[] = []) {
  return { ownTokenVerifier: ports.some(({ provide }) => provide === AccountTokenVerifier) };
}

function moduleOf(
  { path = '', operations = false, ...options }: HelloApiParts,
  settings: Pick<FactoryProvider<AppConfig>, 'inject' | 'useFactory'>,
): DynamicModule {
  const config = onlyOnce(settings);
  const core = coreModules({ ...options, rootCard: false });
  const routed = [V1Module, V03Module, DiscoveryModule, ...(operations ? [HealthModule, MetricsModule] : [])];
  const imports: ModuleMetadata['imports'] = [
    AppSettingsModule.register({ config, path, ...options }),
    ...(operations ? operationsModules(core) : []),
    ...core.all,
    RouterModule.register(routed.map((module) => ({ path: pathOf(path) || '/', module }))),
  ];
  return {
    module: HelloApiModule,
    imports,
    providers: [{ provide: MountPath, useValue: new MountPath(path) }],
  };
}
