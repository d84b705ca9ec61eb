import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/index.js';
import { JobExecutor, TaskReports, type Task } from '../tasks/index.js';
import { byComputer } from './by-computer.js';
import { PrunePace } from './prune-pace.js';

/** Ends work whose task can no longer be read, so that nobody waits for it in vain (requirement K2). */
@Injectable()
export class Expirer {
  private readonly logger = new Logger(Expirer.name);

  constructor(
    private readonly reports: TaskReports,
    private readonly executor: JobExecutor,
    private readonly clock: Clock,
  ) {}

  /**
   * Fails every open task that has expired by now, in batches, tells who waits or streams, and asks the computers to
   * stop. Nobody waits for their answers: a daemon ends a job at its `expiresAt` by itself.
   * @param options.nowMs another moment than the present
   * @param options.signal ends the run between two batches
   * @returns how many tasks were ended
   */
  async runOnce(options: { nowMs?: number; signal?: AbortSignal } = {}): Promise<number> {
    const nowMs = options.nowMs ?? this.clock.now();
    let total = 0;
    const pace = new PrunePace(() => performance.now());
    while (!options.signal?.aborted) {
      const batch = pace.begin();
      const ended = await this.reports.endExpired(batch, nowMs);
      total += ended.length;
      this.stopJobs(ended);
      if (ended.length < batch) break;
      await pause(pace.end());
    }
    if (total > 0) this.logger.warn({ msg: 'open tasks have expired and were ended', tasks: total });
    return total;
  }

  private stopJobs(ended: Task[]): void {
    for (const [computerId, tasks] of byComputer(ended)) void this.stopJobsOf(computerId, tasks);
  }

  /** One after another, so that they do not keep new work waiting; a computer that does not answer is left alone. */
  private async stopJobsOf(computerId: string, tasks: Task[]): Promise<void> {
    for (const { id } of tasks) {
      const outcome = await this.executor.cancel(computerId, id);
      if (outcome.kind === 'unreachable') return;
    }
  }
}
