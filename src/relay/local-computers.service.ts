import { Injectable, Logger } from '@nestjs/common';
import { describeError } from '../common/index.js';
import type { MethodHandler } from '../relay-protocol/index.js';
import { TaskRefresher, TaskReports } from '../tasks/index.js';
import { LocalLink } from './local-link.js';
import { RECONCILE_AT_HELLO } from './relay-attendance.service.js';
import { RelaySessions } from './relay-sessions.registry.js';
import { RelaySettings } from './relay.settings.js';

/** Links daemons of this process, as the gateway does with those behind sockets. */
@Injectable()
export class LocalComputers {
  private readonly logger = new Logger('Relay');

  constructor(
    private readonly sessions: RelaySessions,
    private readonly settings: RelaySettings,
    private readonly reports: TaskReports,
    private readonly refresher: TaskRefresher,
  ) {}

  /**
   * Links a daemon. It gets jobs from now on, until the link is closed.
   * @param computerId an id that no entry of the directory has
   * @param methods what the daemon answers (docs/relay-protocol.md)
   */
  open(computerId: string, methods: Record<string, MethodHandler>): LocalLink {
    const { reports } = this;
    const link = new LocalLink({ computerId, methods, reports, maxInFlight: this.settings.maxInFlight });
    const remove = this.sessions.addLocal(computerId, link);
    link.ended.addEventListener('abort', remove, { once: true });
    return link;
  }

  /** Asks about the open tasks of a computer that has come back (R5); never rejects. */
  async reconcile(computerId: string): Promise<void> {
    try {
      await this.refresher.reconcile(computerId, RECONCILE_AT_HELLO);
    } catch (error) {
      const problem = { msg: 'open jobs could not be asked about', computerId };
      this.logger.error({ ...problem, error: describeError(error) });
    }
  }
}
