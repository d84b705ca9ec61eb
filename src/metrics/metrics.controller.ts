import { Controller, Get, Header, NotFoundException, Res, VERSION_NEUTRAL } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { AppConfig } from '../config/index.js';
import { Metrics } from './metrics.js';

@Controller({ path: 'metrics', version: VERSION_NEUTRAL })
export class MetricsController {
  constructor(
    private readonly config: AppConfig,
    private readonly metrics: Metrics,
  ) {}

  /** Prometheus text format (requirement O2); a 404 where METRICS_ENABLED is false. */
  @Get()
  @Header('Cache-Control', 'no-store')
  async read(@Res({ passthrough: true }) response: ServerResponse): Promise<string> {
    if (!this.config.metrics.enabled) throw new NotFoundException({ error: 'Not found' });
    response.setHeader('Content-Type', this.metrics.registry.contentType);
    return await this.metrics.registry.metrics();
  }
}
