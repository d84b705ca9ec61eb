import { Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { Histogram, Registry, collectDefaultMetrics } from 'prom-client';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE']);

type RoutedRequest = IncomingMessage & { route?: { path?: unknown } };

/**
 * The metrics of one application. Modules register their own on `registry`; labels never hold ids, names or
 * anything a client chooses (requirement H2), which also bounds their number.
 */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  readonly #durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of an HTTP request to the end of its answer',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 120],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Middleware that measures requests by the template of their route. */
  readonly observe = (request: RoutedRequest, response: ServerResponse, next: () => void): void => {
    const startedAtMs = performance.now();
    response.once('close', () => {
      const labels = {
        method: METHODS.has(request.method ?? '') ? request.method : 'other',
        route: routeOf(request),
        status: response.writableFinished ? response.statusCode : 'aborted',
      };
      this.#durations.observe(
        labels as Record<string, string | number>,
        (performance.now() - startedAtMs) / 1000,
      );
    });
    next();
  };
}

/** The router's template; what no route took has none, since its path is the client's choice. */
function routeOf({ route }: RoutedRequest): string {
  return typeof route?.path === 'string' ? route.path : 'none';
}
