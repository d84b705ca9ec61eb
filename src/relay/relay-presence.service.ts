import { Injectable, Logger } from '@nestjs/common';
import { Clock, describeError } from '../common/index.js';
import { AgentDirectory } from '../directory/index.js';
import type { RelaySession } from './relay-session.js';

const WRITE_EVERY_MS = 60_000;

/** Keeps in the directory when a computer was last heard of. Best effort: nothing waits for it. */
@Injectable()
export class RelayPresence {
  private readonly logger = new Logger('Relay');
  private readonly writtenAtMs = new WeakMap<RelaySession, number>();

  constructor(
    private readonly directory: AgentDirectory,
    private readonly clock: Clock,
  ) {}

  /** Writes now: a computer came or went. */
  record(session: RelaySession): void {
    const nowMs = this.clock.now();
    this.writtenAtMs.set(session, nowMs);
    this.directory.recordSeen(session.identity.computerId, nowMs).catch((error: unknown) => {
      this.logger.warn({ msg: 'presence was not recorded', ...session.about, error: describeError(error) });
    });
  }

  /** Writes at most once a minute: a computer is still there. */
  keep(session: RelaySession): void {
    if (this.clock.now() - (this.writtenAtMs.get(session) ?? 0) >= WRITE_EVERY_MS) this.record(session);
  }
}
