import { Injectable } from '@nestjs/common';
import { Clock, IdGenerator } from '../common/index.js';
import { TaskReports } from '../tasks/index.js';
import { Heartbeats } from './heartbeats.js';
import { RelayStatistics } from './relay-statistics.js';
import { RelaySettings } from './relay.settings.js';

const HELLO_TIMEOUT_MS = 10_000;

/** What every session works with. */
@Injectable()
export class SessionServices {
  /** How long a daemon may take to introduce itself. */
  readonly helloTimeoutMs: number = HELLO_TIMEOUT_MS;
  readonly statistics = new RelayStatistics();
  readonly heartbeats: Heartbeats;

  constructor(
    readonly settings: RelaySettings,
    readonly clock: Clock,
    readonly ids: IdGenerator,
    readonly reports: TaskReports,
  ) {
    this.heartbeats = new Heartbeats(settings.heartbeatMs);
  }
}
