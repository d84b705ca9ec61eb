import { type DynamicModule, Module, type ModuleMetadata, type Type } from '@nestjs/common';
import { HealthCheckService, HealthIndicatorService, TerminusModule } from '@nestjs/terminus';
import { HealthController } from './health.controller.js';
import type { ReadinessProbe } from './readiness-probe.js';
import { Readiness } from './readiness.js';

export interface HealthOptions {
  /** Modules that provide what the probes inject. */
  imports?: NonNullable<ModuleMetadata['imports']>;
  probes: Type<ReadinessProbe>[];
}

/** `/healthz` and `/readyz`; whoever puts the program together names the probes. */
@Module({})
export class HealthModule {
  static register({ imports = [], probes }: HealthOptions): DynamicModule {
    return {
      module: HealthModule,
      imports: [TerminusModule.forRoot({ logger: false }), ...imports],
      controllers: [HealthController],
      providers: [
        ...probes,
        {
          provide: Readiness,
          inject: [HealthCheckService, HealthIndicatorService, ...probes],
          useFactory: (
            health: HealthCheckService,
            indicators: HealthIndicatorService,
            ...bound: ReadinessProbe[]
          ) => new Readiness(bound, health, indicators),
        },
      ],
      exports: [Readiness],
    };
  }
}
