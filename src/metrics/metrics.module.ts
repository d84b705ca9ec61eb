import { Global, type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
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
  ) {}

  configure(consumer: MiddlewareConsumer): void {
    if (this.config.metrics.enabled) consumer.apply(this.metrics.observe).forRoutes('{*path}');
  }
}
