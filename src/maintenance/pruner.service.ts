import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/index.js';
import { JobExecutor, TaskReports } from '../tasks/index.js';
import { byComputer } from './by-computer.js';
import { Expirer } from './expirer.service.js';
import { PrunePace } from './prune-pace.js';

/** Deletes what has outlived its retention (requirement K2). */
@Injectable()
export class Pruner {
  private readonly logger = new Logger(Pruner.name);

  constructor(
    private readonly reports: TaskReports,
    private readonly executor: JobExecutor,
    private readonly expirer: Expirer,
    private readonly clock: Clock,
  ) {}

  /**
   * Deletes every task that has expired by now, in batches, and lets their computers forget them. Work that is still
   * open is ended first.
   * @param options.nowMs another moment than the present
   * @param options.signal ends the run between two batches
   * @returns how many tasks were deleted
   */
  async runOnce(options: { nowMs?: number; signal?: AbortSignal } = {}): Promise<number> {
    const nowMs = options.nowMs ?? this.clock.now();
    await this.expirer.runOnce({ ...options, nowMs });
    let total = 0;
    const pace = new PrunePace(() => performance.now());
    while (!options.signal?.aborted) {
      const batch = pace.begin();
      const deleted = await this.reports.deleteExpired(batch, nowMs);
      total += deleted.length;
      this.tellComputers(deleted);
      if (deleted.length < batch) break;
      await pause(pace.end());
    }
    if (total > 0) this.logger.log({ msg: 'expired tasks were deleted', tasks: total });
    return total;
  }

  private tellComputers(deleted: { taskId: string; computerId: string }[]): void {
    for (const [computerId, tasks] of byComputer(deleted)) {
      this.executor.forget(
        computerId,
        tasks.map(({ taskId }) => taskId),
      );
    }
  }
}
