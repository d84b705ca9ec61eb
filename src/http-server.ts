import { createServer } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import type { AppConfig } from './config/index.js';

/** Node's own default, named so that nobody changes it by a flag of the process. */
const MAX_HEADER_BYTES = 16 * 1024;
/** How often the server looks for requests that take too long. */
const CHECK_MS = 1_000;

/** Express on a server that does not wait for slow senders (requirement W5). */
export class HttpServerAdapter extends ExpressAdapter {
  constructor(private readonly http: AppConfig['http']) {
    super(expressApplication());
  }

  override initHttpServer(): void {
    const { requestTimeoutMs, keepAliveMs } = this.http;
    const limits = {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: requestTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: CHECK_MS,
    };
    this.httpServer = createServer(limits, this.getInstance<Express>());
  }
}

/** Express reads these when its router is made, which is before Nest hands it out. */
function expressApplication(): Express {
  const application = express();
  application.disable('x-powered-by');
  application.set('etag', false);
  application.set('query parser', 'simple');
  application.set('case sensitive routing', true);
  return application;
}

/**
 * The headers of browsers' protection that mean something for an API: nothing is guessed, framed, run or referred to. An
 * address may hold a link key, which no referrer shall carry on.
 */
export function protectiveHeaders({ publicBaseUrl }: AppConfig['http']): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: publicBaseUrl.startsWith('https://') && { maxAge: 31_536_000 },
    crossOriginResourcePolicy: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
}
