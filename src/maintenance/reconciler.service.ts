import { Injectable } from '@nestjs/common';
import { RelaySessions } from '../relay/index.js';
import { TaskRefresher } from '../tasks/index.js';
import { Expirer } from './expirer.service.js';
import { MaintenanceSettings } from './maintenance.settings.js';

/**
 * Asks every connected computer about its open jobs, so that no task waits for ever for a lost report (requirement R5),
 * and ends what has waited for too long (K2).
 */
@Injectable()
export class Reconciler {
  constructor(
    private readonly sessions: RelaySessions,
    private readonly refresher: TaskRefresher,
    private readonly expirer: Expirer,
    private readonly settings: MaintenanceSettings,
  ) {}

  /**
   * One bounded round: the least recently checked jobs of each computer that is connected now.
   * @returns how many tasks were ended or asked about
   */
  async runOnce(): Promise<number> {
    const ended = await this.expirer.runOnce();
    const asked = await Promise.all(
      this.sessions
        .connectedComputers()
        .map((computerId) => this.refresher.reconcile(computerId, this.settings.reconcileBatch)),
    );
    return asked.reduce((sum, count) => sum + count, ended);
  }
}
