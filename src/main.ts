import 'reflect-metadata';
import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule, type AppExtensions } from './app.module.js';
import type { AppConfig } from './config/index.js';
import { installDirectRoutes } from './direct/index.js';
import { AgentCardController, PublishedCardController } from './discovery/index.js';
import { HttpServerAdapter, protectiveHeaders } from './http-server.js';
import { createLogger, PinoLoggerService } from './logging/index.js';
import { HttpFailureFilter } from './rpc/index.js';
import { startErrorOf } from './start-error.js';
import { V03Controller } from './v03/index.js';
import { V1Controller } from './v1/index.js';

export { StartError } from './start-error.js';

/** How long requests may take to end once the service stops. */
const SHUTDOWN_GRACE_MS = 5_000;

export interface RunningServer {
  /** Where it listens, with the real port. */
  readonly url: string;
  /** Finishes what is on its way and stops, within ten seconds (requirement R8). */
  close(): Promise<void>;
}

/**
 * Starts hello-api: HTTP, relay and schedules in one process.
 * @param extensions modules of yours besides its own (docs/extending.md)
 * @throws StartError with one line that names the setting when one does not allow the start
 */
export async function serve(config: AppConfig, extensions: AppExtensions = {}): Promise<RunningServer> {
  try {
    const app = await listen(await createApp(config, extensions), config);
    return { url: await app.getUrl(), close: () => closeInTime(app) };
  } catch (error) {
    throw startErrorOf(error, config);
  }
}

async function listen(app: NestExpressApplication, { http }: AppConfig): Promise<NestExpressApplication> {
  try {
    await app.init();
    if (http.directRoutes) goDirect(app);
    await app.listen(http.port, http.host);
    return app;
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** The routes of nearly all requests; modules of others may bring what only Express and Nest can apply to them. */
function goDirect(app: NestExpressApplication): void {
  const controllers = [V1Controller, V03Controller, AgentCardController, PublishedCardController];
  const obstacle = installDirectRoutes(app, { controllers, filter: HttpFailureFilter });
  if (obstacle !== undefined)
    new Logger('Http').log(`Every request goes through Express, because of ${obstacle}`);
}

/** A request that was sent by half would hold the end up for as long as its sender likes (requirement R8). */
async function closeInTime(app: NestExpressApplication): Promise<void> {
  const server = app.getHttpServer();
  const cut = setTimeout(() => server.closeAllConnections(), SHUTDOWN_GRACE_MS);
  try {
    await app.close();
  } finally {
    clearTimeout(cut);
  }
}

async function createApp(config: AppConfig, extensions: AppExtensions): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.register(config, extensions),
    new HttpServerAdapter(config.http),
    {
      // Bodies are read where they are needed, after the caller is known, and with the wire's own errors.
      bodyParser: false,
      abortOnError: false,
      // From the first line on, since a start that fails writes logs too.
      logger: new PinoLoggerService(createLogger(config.logging.level, extensions.logs)),
    },
  );
  app.use(protectiveHeaders(config.http));
  enableCors(app, config.http.corsOrigins);
  return app;
}

/** Browsers may call only from the origins that were named; without any there is no CORS at all. */
function enableCors(app: NestExpressApplication, origins: readonly string[]): void {
  if (origins.length === 0) return;
  app.enableCors({
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST'],
    allowedHeaders: [
      'Content-Type',
      'Authorization',
      'A2A-Version',
      'A2A-Extensions',
      'Idempotency-Key',
      'X-Request-Id',
      'traceparent',
    ],
    exposedHeaders: ['ETag', 'Retry-After', 'WWW-Authenticate', 'X-Request-Id'],
    maxAge: 600,
  });
}
