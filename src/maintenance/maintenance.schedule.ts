import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { describeError } from '../common/index.js';
import { MaintenanceSettings } from './maintenance.settings.js';
import { Pruner } from './pruner.service.js';
import { Reconciler } from './reconciler.service.js';
import { RoundStatistics } from './round-statistics.js';

type Round = 'prune' | 'reconcile';

/**
 * Runs the pruner and the reconciler at their intervals; a round that is still on its way is not joined by another. With plain
 * timers: an application that has `@nestjs/schedule` would find its own jobs run twice if that were set up here as well.
 */
@Injectable()
export class MaintenanceSchedule implements OnApplicationBootstrap, OnModuleDestroy {
  /** For metrics. */
  readonly rounds: Readonly<Record<Round, RoundStatistics>> = {
    prune: new RoundStatistics(),
    reconcile: new RoundStatistics(),
  };
  private readonly logger = new Logger('Maintenance');
  private readonly stopping = new AbortController();
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly running = new Map<string, Promise<void>>();

  constructor(
    private readonly settings: MaintenanceSettings,
    private readonly pruner: Pruner,
    private readonly reconciler: Reconciler,
  ) {}

  onApplicationBootstrap(): void {
    const prune = () => this.pruner.runOnce({ signal: this.stopping.signal });
    this.schedule('prune', this.settings.pruneIntervalMs, prune);
    this.schedule('reconcile', this.settings.reconcileIntervalMs, () => this.reconciler.runOnce());
    this.start('prune', prune);
  }

  /** Ends the rounds before the database closes. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    for (const timer of this.timers) clearInterval(timer);
    await Promise.all(this.running.values());
  }

  private schedule(name: Round, everyMs: number, round: () => Promise<number>): void {
    this.timers.push(setInterval(() => this.start(name, round), everyMs));
  }

  private start(name: Round, round: () => Promise<number>): void {
    if (this.running.has(name) || this.stopping.signal.aborted) return;
    const run = this.rounds[name]
      .measure(round)
      .catch((error: unknown) => this.logger.error({ msg: `${name} failed`, error: describeError(error) }))
      .finally(() => this.running.delete(name));
    this.running.set(name, run);
  }
}
