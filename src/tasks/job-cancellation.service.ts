import { Injectable } from '@nestjs/common';
import { isTerminal } from '../a2a/index.js';
import { Clock } from '../common/index.js';
import { JobExecutor } from './job-executor.js';
import { TaskReports } from './task-reports.service.js';
import { type ReportOutcome, TaskStore } from './task-store.js';
import type { Task } from './task.js';

/** Asks a computer to stop a job and takes over what it says (requirement G5). */
@Injectable()
export class JobCancellation {
  constructor(
    private readonly executor: JobExecutor,
    private readonly reports: TaskReports,
    private readonly store: TaskStore,
    private readonly clock: Clock,
  ) {}

  /**
   * @param requestId names the caller's request
   * @returns the task as it is stored afterwards, or `undefined` when the computer confirmed nothing
   */
  async cancel(task: Task, requestId?: string): Promise<Task | undefined> {
    const outcome = await this.executor.cancel(task.computerId, task.id, requestId);
    switch (outcome.kind) {
      case 'unreachable':
        return undefined;
      case 'unknown':
        return ended(
          await this.reports.takeUnknown(task.computerId, { taskId: task.id, revision: task.revision }),
        );
      case 'reported': {
        const report = { ...outcome.report, taskId: task.id };
        return await this.#stopping(await this.reports.take(task.computerId, report, { checked: true }));
      }
    }
  }

  /** A job that still runs has been asked to stop; that is recorded, for the answer and for those who look later. */
  async #stopping(outcome: ReportOutcome): Promise<Task | undefined> {
    if (outcome.kind === 'unknown') return undefined;
    if (isTerminal(outcome.task.state)) return outcome.task;
    return await this.store.recordCancelRequest(outcome.task.id, this.clock.now());
  }
}

/** A job that was heard of while its computer said that it does not know it: nothing is confirmed. */
function ended(outcome: ReportOutcome): Task | undefined {
  return outcome.kind !== 'unknown' && isTerminal(outcome.task.state) ? outcome.task : undefined;
}
