import type { Server } from 'node:http';
import type { ExceptionFilter, INestApplication, Type } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';
import { controllerRoutes } from './controller-routes.js';
import type { Middleware } from './direct-request.js';
import { DirectRouter } from './direct-router.js';

/** What is read of Express's router (version 2 of the package `router`). */
interface ExpressLayer {
  handle: Middleware;
  route?: object;
  /** Whether it stands before everything, and not before some paths. */
  slash: boolean;
}

export interface DirectRoutes {
  controllers: Type[];
  /** The application's filter for what guards and controllers throw. */
  filter: Type<ExceptionFilter>;
}

/**
 * Puts routes in front of Express, on the same server. To be called when the application is initialized and not yet
 * listening.
 * @returns why not, when something stands before the routes that only Express and Nest can take a request through
 */
export function installDirectRoutes(
  app: INestApplication<Server>,
  options: DirectRoutes,
): string | undefined {
  const filter = app.get<ExceptionFilter>(options.filter, { strict: false });
  const obstacle = globalEnhancer(app, options.filter);
  if (obstacle !== undefined) return obstacle;
  const layers = layersBeforeRoutes(app);
  if (layers.some((layer) => !layer.slash)) return 'a middleware that stands before some paths only';

  const routes = options.controllers.flatMap((controller) =>
    controllerRoutes(app, controller, options.filter),
  );
  const router = new DirectRouter(
    routes,
    layers.map((layer) => layer.handle),
    filter,
  );
  const server = app.getHttpServer();
  const listeners = server.listeners('request') as ((...args: unknown[]) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (!router.take(request, response)) for (const listener of listeners) listener(request, response);
  });
  return undefined;
}

/** What comes behind the routes only says that there is none. */
function layersBeforeRoutes(app: INestApplication): ExpressLayer[] {
  const express = app.getHttpAdapter().getInstance() as { router: { stack: ExpressLayer[] } };
  const { stack } = express.router;
  const firstRoute = stack.findIndex((layer) => layer.route !== undefined);
  return firstRoute < 0 ? stack : stack.slice(0, firstRoute);
}

/** Nest keeps what holds for the whole application in a field that it does not show. */
function globalEnhancer(app: INestApplication, filter: Type<ExceptionFilter>): string | undefined {
  const { config } = app as unknown as { config: ApplicationConfig };
  const found: [string, unknown[]][] = [
    ['guard', [...config.getGlobalGuards(), ...config.getGlobalRequestGuards()]],
    ['interceptor', [...config.getGlobalInterceptors(), ...config.getGlobalRequestInterceptors()]],
    ['pipe', [...config.getGlobalPipes(), ...config.getGlobalRequestPipes()]],
    [
      'filter',
      [
        ...config.getGlobalFilters().filter((one) => !(one instanceof filter)),
        ...config.getGlobalRequestFilters(),
      ],
    ],
    ['request hook', config.getGlobalPreRequestHooks()],
  ];
  const [kind] = found.find(([, enhancers]) => enhancers.length > 0) ?? [];
  return kind && `a global ${kind}`;
}
