import { Injectable, Logger } from '@nestjs/common';
import { describeError } from '../common/index.js';
import { TaskRefresher } from '../tasks/index.js';
import { RelayPresence } from './relay-presence.service.js';
import type { RelaySession, SessionEvents } from './relay-session.js';
import { RelaySessions } from './relay-sessions.registry.js';

/** Open jobs asked about when a computer comes back; the schedule goes on with the rest (R5). */
export const RECONCILE_AT_HELLO = 500;

/** What follows from a computer's coming, staying and going. */
@Injectable()
export class RelayAttendance implements SessionEvents {
  private readonly logger = new Logger('Relay');

  constructor(
    private readonly sessions: RelaySessions,
    private readonly presence: RelayPresence,
    private readonly refresher: TaskRefresher,
  ) {}

  onReady(session: RelaySession): void {
    this.sessions.admit(session);
    this.logger.log({ msg: 'computer connected', ...session.about, durable: session.isDurable });
    this.presence.record(session);
    if (session.isDurable) void this.reconcile(session);
  }

  onAlive(session: RelaySession): void {
    this.presence.keep(session);
    // A token may also be revoked by another process, which can tell nobody here.
    void this.sessions.check(session);
  }

  onEnd(session: RelaySession, code: number, reason: string): void {
    this.sessions.remove(session);
    this.logger.log({ msg: 'computer disconnected', ...session.about, code, reason });
    if (session.hasGreeted) this.presence.record(session);
  }

  private async reconcile(session: RelaySession): Promise<void> {
    try {
      await this.refresher.reconcile(session.identity.computerId, RECONCILE_AT_HELLO);
    } catch (error) {
      this.logger.error({
        msg: 'open jobs could not be asked about',
        ...session.about,
        error: describeError(error),
      });
    }
  }
}
