import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { WebSocketServer } from 'ws';
import { describeError } from '../common/index.js';
import { MAX_FRAME_BYTES, SUBPROTOCOL } from '../relay-protocol/index.js';
import { serveWithoutUpgrade } from './plain-request.js';
import { RelayAdmission } from './relay-admission.js';
import { RelayReception } from './relay-reception.js';
import { RelaySettings } from './relay.settings.js';

type Upgrade = [request: IncomingMessage, socket: Duplex, head: Buffer];
type UpgradeListener = (...upgrade: Upgrade) => void;

/**
 * Takes the upgrades of the relay out of all that the HTTP server gets, and leaves the others to whoever listened before: an
 * application may have sockets of its own, by whatever adapter. Where nobody did, an offered upgrade is ignored, as HTTP asks
 * for (RFC 9110 §7.8), and the request is answered as an ordinary one.
 */
@Injectable()
export class RelayListener implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Relay');
  private readonly sockets: WebSocketServer;
  private readonly listener: UpgradeListener = (...upgrade) => this.route(upgrade);
  private server: Server | undefined;
  private others: UpgradeListener[] = [];

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly settings: RelaySettings,
    private readonly admission: RelayAdmission,
    private readonly reception: RelayReception,
  ) {
    this.sockets = new WebSocketServer({
      noServer: true,
      maxPayload: MAX_FRAME_BYTES,
      perMessageDeflate: false,
      // The sessions are counted by their registry.
      clientTracking: false,
      handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
      verifyClient: (info, done) => void this.admission.decide(info.req, done),
    });
  }

  /** The sockets of the application's own gateways are connected by now. */
  onApplicationBootstrap(): void {
    const server = this.host.httpAdapter.getHttpServer() as Server;
    this.others = server.listeners('upgrade') as UpgradeListener[];
    server.removeAllListeners('upgrade');
    server.on('upgrade', this.listener);
    this.server = server;
    this.reception.open();
  }

  onApplicationShutdown(): void {
    this.server?.off('upgrade', this.listener);
  }

  private route([request, socket, head]: Upgrade): void {
    const isWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket';
    if (isWebSocket && this.isRelay(request.url ?? '')) {
      socket.on('error', this.logError);
      this.sockets.handleUpgrade(request, socket, head, (client) => {
        // From here on the client tells of the socket's errors.
        socket.off('error', this.logError);
        this.reception.receive(client, request);
      });
    } else if (this.server && this.others.length === 0) {
      serveWithoutUpgrade(this.server, request, socket, head);
    } else {
      for (const other of this.others) other(request, socket, head);
    }
  }

  /** With a slash at its end it is the same address (W1). */
  private isRelay(target: string): boolean {
    const path = target.replace(/\?.*$/s, '').replace(/\/$/, '');
    return path === this.settings.path;
  }

  private readonly logError = (error: Error): void => {
    this.logger.debug({ msg: 'socket error', error: describeError(error) });
  };
}
