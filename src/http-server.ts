import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { PreparedResponse, prepareHeader } from './common/index.js';
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
      ServerResponse: PreparedResponse,
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
  const protect = helmet({
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
  const lines = headersSetBy(protect);
  return (_, response, next) => {
    for (const [name, value] of lines) prepareHeader(response, name, value);
    next();
  };
}

/** They are the same for every request, so that they are found out once. */
function headersSetBy(middleware: ReturnType<typeof helmet>): [string, string][] {
  const lines: [string, string][] = [];
  const recorder = {
    setHeader: (name: string, value: string) => lines.push([name, value]),
    removeHeader: () => undefined,
  };
  middleware({} as IncomingMessage, recorder as unknown as ServerResponse, (error) => {
    if (error !== undefined) throw error as Error;
  });
  return lines;
}
