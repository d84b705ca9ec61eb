import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { WebSocket } from 'ws';
import { CloseCode } from '../relay-protocol/index.js';
import { RelayAttendance } from './relay-attendance.service.js';
import { RelayAuthenticator } from './relay-authenticator.service.js';
import { RelaySession } from './relay-session.js';
import { RelaySessions } from './relay-sessions.registry.js';
import { SessionServices } from './session-services.js';

/** Makes a session of every socket of a daemon (R1, R2). Who may have one was decided before the upgrade. */
@Injectable()
export class RelayReception {
  constructor(
    private readonly sessions: RelaySessions,
    private readonly authenticator: RelayAuthenticator,
    private readonly services: SessionServices,
    private readonly attendance: RelayAttendance,
  ) {}

  /** From now on daemons can connect. */
  open(): void {
    this.sessions.markListening();
  }

  /** Called in the same turn as the upgrade, so that no early frame is lost; it must not wait for anything. */
  receive(socket: WebSocket, request: IncomingMessage): void {
    const identity = this.authenticator.identityOf(request);
    if (!identity) {
      socket.on('error', () => undefined);
      socket.close(CloseCode.badToken, 'not authenticated');
      return;
    }
    // The request itself is not kept: it is a good part of what an idle link would hold.
    const link = { socket, stream: request.socket };
    this.sessions.add(new RelaySession(identity, link, this.services, this.attendance));
  }
}
