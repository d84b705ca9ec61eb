import type { IncomingMessage } from 'node:http';
import { type OnGatewayConnection, type OnGatewayInit, WebSocketGateway } from '@nestjs/websockets';
import type { WebSocket } from 'ws';
import { CloseCode } from '../relay-protocol/index.js';
import { RelayAttendance } from './relay-attendance.service.js';
import { RelayAuthenticator } from './relay-authenticator.service.js';
import { RelaySession } from './relay-session.js';
import { RelaySessions } from './relay-sessions.registry.js';
import { RELAY_PATH } from './relay-ws.adapter.js';
import { SessionServices } from './session-services.js';

/**
 * Where daemons connect (R1, R2). It owns its message loop: Nest's drops frames that it cannot read without a
 * sign. The upgrade was decided by `RelayWsAdapter` before this is called.
 */
@WebSocketGateway({ path: RELAY_PATH })
export class RelayGateway implements OnGatewayInit, OnGatewayConnection<WebSocket> {
  constructor(
    private readonly sessions: RelaySessions,
    private readonly authenticator: RelayAuthenticator,
    private readonly services: SessionServices,
    private readonly attendance: RelayAttendance,
  ) {}

  afterInit(): void {
    this.sessions.markListening();
  }

  /** Called in the same turn as the upgrade, so that no early frame is lost; it must not wait for anything. */
  handleConnection(socket: WebSocket, request: IncomingMessage): void {
    const identity = this.authenticator.identityOf(request);
    if (!identity) {
      socket.close(CloseCode.badToken, 'not authenticated');
      return;
    }
    const link = { socket, bytesRead: () => request.socket.bytesRead };
    this.sessions.add(new RelaySession(identity, link, this.services, this.attendance));
  }
}
