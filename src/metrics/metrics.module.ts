import { Global, Module, type NestModule } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { AppConfig } from '../config/index.js';
import { MetricsController } from './metrics.controller.js';
import { Metrics } from './metrics.js';

/** Prometheus metrics at `/metrics`. Needs `AppConfig` from a global module. */
@Global()
@Module({ controllers: [MetricsController], providers: [Metrics], exports: [Metrics] })
export class MetricsModule implements NestModule {
  constructor(
    private readonly config: AppConfig,
    private readonly metrics: Metrics,
    private readonly host: HttpAdapterHost,
  ) {}

  /** In front of every route, and not of paths, so that no router is needed to get to it. */
  configure(): void {
    if (this.config.metrics.enabled) this.host.httpAdapter.use(this.metrics.observe);
  }
}
