import { Controller, Get, NotFoundException, Res, VERSION_NEUTRAL } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { AppConfig } from '../config/index.js';
import { Metrics } from './metrics.js';

@Controller({ path: 'metrics', version: VERSION_NEUTRAL })
export class MetricsController {
  constructor(
    private readonly config: AppConfig,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Prometheus text format (requirement O2); a 404 where METRICS_ENABLED is false. Written by hand: an interceptor of the
   * application that wraps results would make it something else.
   */
  @Get()
  async read(@Res() response: ServerResponse): Promise<void> {
    if (!this.config.metrics.enabled) throw new NotFoundException({ error: 'Not found' });
    const text = await this.metrics.registry.metrics();
    response.setHeader('Content-Type', this.metrics.registry.contentType);
    response.setHeader('Cache-Control', 'no-store');
    response.end(text);
  }
}
