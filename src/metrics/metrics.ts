import { Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { Registry, collectDefaultMetrics } from 'prom-client';
import { Distribution, LONG_SECONDS, routeTemplate } from '../common/index.js';
import { histogram, type Series } from './families.js';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE']);

interface HttpSeries {
  labels: { method: string; route: string; status: string };
  seconds: Distribution;
}

/**
 * The metrics of one application. Modules register their own on `registry`; labels never hold ids, names or
 * anything a client chooses (requirement H2), which also bounds their number.
 */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  private readonly requests = new Map<string, HttpSeries>();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    histogram(
      this.registry,
      {
        name: 'http_request_duration_seconds',
        help: 'Time from the arrival of an HTTP request to the end of its answer',
        labelNames: ['method', 'route', 'status'],
      },
      () => [...this.requests.values()].map(({ labels, seconds }): Series<Distribution> => [labels, seconds]),
    );
  }

  /** Middleware that measures requests by the template of their route. */
  readonly observe = (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const startedAtMs = performance.now();
    response.once('close', () => {
      this.seriesOf(request, response).observe((performance.now() - startedAtMs) / 1000);
    });
    next();
  };

  private seriesOf(request: IncomingMessage, response: ServerResponse): Distribution {
    const method = METHODS.has(request.method ?? '') ? (request.method as string) : 'other';
    const route = routeTemplate(request);
    const status = response.writableFinished ? String(response.statusCode) : 'aborted';
    const key = `${method} ${status} ${route}`;
    let series = this.requests.get(key);
    if (!series) {
      series = { labels: { method, route, status }, seconds: new Distribution(LONG_SECONDS) };
      this.requests.set(key, series);
    }
    return series.seconds;
  }
}
