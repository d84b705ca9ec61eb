import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type INestApplicationContext, Logger } from '@nestjs/common';
import { WsAdapter } from '@nestjs/platform-ws';
import type { ServerOptions, VerifyClientCallbackAsync, WebSocket, WebSocketServer } from 'ws';
import { LoginFailures, TooManyRequestsFailure, describeError } from '../common/index.js';
import { MAX_FRAME_BYTES, SUBPROTOCOL } from '../relay-protocol/index.js';
import { serveWithoutUpgrade } from './plain-request.js';
import { RelayAuthenticator } from './relay-authenticator.service.js';
import { RelaySessions } from './relay-sessions.registry.js';

/** Where daemons connect; with a trailing slash it is the same address (W1). */
export const RELAY_PATH = '/relay';
const RELAY_TARGET = /^\/relay\/?(\?|$)/;

type Refuse = (status: number, error: string, headers?: Record<string, string>) => void;

/**
 * Accepts the sockets of the relay and decides before the upgrade who may have one (R1, B129). Every other upgrade
 * that a request offers is ignored, as HTTP asks for (RFC 9110 §7.8): it is answered as an ordinary request.
 */
export class RelayWsAdapter extends WsAdapter {
  private readonly relayLogger = new Logger('Relay');
  private readonly upgradeListeners: { server: Server; listener: (...upgrade: Upgrade) => void }[] = [];

  constructor(private readonly app: INestApplicationContext) {
    super(app);
  }

  override create(port: number, options: Record<string, unknown> = {}): WebSocketServer {
    const limits: Pick<
      ServerOptions,
      'handleProtocols' | 'maxPayload' | 'perMessageDeflate' | 'verifyClient'
    > = {
      maxPayload: MAX_FRAME_BYTES,
      perMessageDeflate: false,
      handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
      verifyClient: (info, done) => void this.verify(info.req, done),
    };
    return super.create(port, { ...options, ...limits }) as WebSocketServer;
  }

  /** The gateway reads the frames itself; Nest would parse each of them once more and drop what it cannot read. */
  override bindMessageHandlers(): void {}

  override bindErrorHandler(server: WebSocketServer): WebSocketServer {
    const log = (error: Error) =>
      this.relayLogger.debug({ msg: 'socket error', error: describeError(error) });
    server.on('connection', (socket: WebSocket) => socket.on('error', log));
    server.on('error', log);
    return server;
  }

  override async dispose(): Promise<void> {
    for (const { server, listener } of this.upgradeListeners) server.off('upgrade', listener);
    await super.dispose();
  }

  protected override ensureHttpServerExists(port: number, httpServer?: Server): Server | undefined {
    if (!httpServer || this.httpServersRegistry.has(port)) return httpServer;
    this.httpServersRegistry.set(port, httpServer);
    const listener = (...upgrade: Upgrade) => this.route(port, httpServer, upgrade);
    httpServer.on('upgrade', listener);
    this.upgradeListeners.push({ server: httpServer, listener });
    return httpServer;
  }

  private route(port: number, server: Server, [request, socket, head]: Upgrade): void {
    const isWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket';
    if (!isWebSocket || !RELAY_TARGET.test(request.url ?? '')) {
      serveWithoutUpgrade(server, request, socket, head);
      return;
    }
    const relay = this.wsServersRegistry.get(port)?.[0] as WebSocketServer | undefined;
    if (!relay) {
      socket.destroy();
      return;
    }
    relay.handleUpgrade(request, socket, head, (client) => relay.emit('connection', client, request));
  }

  private async verify(
    request: IncomingMessage,
    done: Parameters<VerifyClientCallbackAsync>[1],
  ): Promise<void> {
    const refuse: Refuse = (status, error, headers) =>
      done(false, status, JSON.stringify({ error }), { 'Content-Type': 'application/json', ...headers });
    if (this.app.get(RelaySessions, { strict: false }).stopped) {
      refuse(503, 'The service is shutting down', { 'Retry-After': '1' });
      return;
    }
    try {
      const admitted = await this.app.get(RelayAuthenticator, { strict: false }).admits(request);
      if (admitted) done(true);
      else this.refuseToken(request, refuse);
    } catch (error) {
      // Not a 401: on that a daemon gives up, and nobody has said that its token is bad.
      this.relayLogger.error({ msg: 'the directory could not be asked', error: describeError(error) });
      refuse(503, 'The service is not available at the moment', { 'Retry-After': '5' });
    }
  }

  private refuseToken({ headers, socket }: IncomingMessage, refuse: Refuse): void {
    try {
      if (headers.authorization !== undefined)
        this.app.get(LoginFailures, { strict: false }).note('relay_token', socket.remoteAddress);
      refuse(401, 'A valid relay token is required', { 'WWW-Authenticate': 'Bearer' });
    } catch (tooMany) {
      if (!(tooMany instanceof TooManyRequestsFailure)) throw tooMany;
      refuse(tooMany.status, tooMany.message, tooMany.headers());
    }
  }
}

type Upgrade = [request: IncomingMessage, socket: Duplex, head: Buffer];
