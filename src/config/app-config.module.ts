import { Global, Logger, Module, type OnModuleInit } from '@nestjs/common';
import { AppConfig } from './app-config.js';
import { configWarnings } from './config-warnings.js';
import { readEnvironment } from './environment.js';
import { loadAppConfig } from './load-app-config.js';

/** Provides the settings to every module; a bad one stops the start. */
@Global()
@Module({
  providers: [{ provide: AppConfig, useFactory: () => loadAppConfig(readEnvironment()) }],
  exports: [AppConfig],
})
export class AppConfigModule implements OnModuleInit {
  private readonly logger = new Logger('Settings');

  constructor(private readonly config: AppConfig) {}

  onModuleInit(): void {
    for (const warning of configWarnings(readEnvironment(), this.config)) this.logger.warn(warning);
  }
}
