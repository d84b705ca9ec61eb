import { Injectable } from '@nestjs/common';
import { UnsupportedOperationError, type Message } from '../a2a/index.js';
import { JobExecutor, jobMessageOf, type InputOutcome } from './job-executor.js';
import { unavailable } from './job-handover.service.js';
import { JobSubmissions } from './job-submissions.service.js';
import { TaskReports } from './task-reports.service.js';
import { TaskStore } from './task-store.js';
import type { Task } from './task.js';

/**
 * Brings the answer to a question from the store to the daemon (requirement P6). An answer is on disk before it is
 * sent, and marked as on its way until a report shows that the job has moved on. What became of it may stay unknown:
 * when the daemon is found still waiting with the same question, the answer is sent again, which daemons take once.
 */
@Injectable()
export class AnswerDelivery {
  constructor(
    private readonly executor: JobExecutor,
    private readonly store: TaskStore,
    private readonly reports: TaskReports,
    private readonly submissions: JobSubmissions,
  ) {}

  /** @throws UnavailableFailure when the computer could not take an answer now */
  requireAvailable(computerId: string): void {
    if (!this.executor.isAvailable(computerId)) throw unavailable();
  }

  /**
   * The first delivery, for the caller who waits for it.
   * @param requestId names the caller's request
   * @returns the task with what is known then
   * @throws UnavailableFailure when the answer was certainly not handed over; then it is gone again
   * @throws UnsupportedOperationError when the job does not wait for it any more; likewise
   */
  async deliver(task: Task, message: Message, requestId?: string): Promise<Task> {
    const outcome = await this.#send(task, message, requestId);
    switch (outcome.kind) {
      case 'reported':
        return await this.reports.takeHandover(task, outcome.report);
      case 'uncertain':
        return task;
      case 'not_sent':
        if (await this.store.withdrawAnswer(task)) throw unavailable();
        return task;
      case 'not_waiting':
        if (await this.store.withdrawAnswer(task)) {
          throw new UnsupportedOperationError('The task does not wait for an answer any more');
        }
        return task;
    }
  }

  /** Sends an answer again to a daemon that was found still waiting. What it says of the job is taken over. */
  async redeliver(task: Task): Promise<void> {
    if (this.submissions.isInFlight(task.id)) return;
    await this.submissions.track(task.id, async () => {
      const message = await this.store.pendingAnswer(task.id);
      if (!message) return;
      const outcome = await this.#send(task, message);
      if (outcome.kind === 'reported') await this.reports.take(task.computerId, outcome.report);
    });
  }

  async #send(task: Task, message: Message, requestId?: string): Promise<InputOutcome> {
    const { id: taskId, computerId } = task;
    const input = { taskId, computerId, message: jobMessageOf(message), ...(requestId && { requestId }) };
    return await this.executor.answer(input);
  }
}
