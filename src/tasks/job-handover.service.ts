import { Injectable } from '@nestjs/common';
import type { Message } from '../a2a/index.js';
import { UnavailableFailure, traceparentFor, type CallOrigin } from '../common/index.js';
import { JobExecutor, jobMessageOf } from './job-executor.js';
import { TaskEvents } from './task-events.service.js';
import { TaskReports } from './task-reports.service.js';
import { TaskStore } from './task-store.js';
import type { Destination, Task } from './task.js';

/** What is handed over with the task. */
export interface JobParts {
  destination: Destination;
  message: Message;
  origin?: CallOrigin | undefined;
}

/** Hands an accepted task to its computer, once (requirements S8, R4). */
@Injectable()
export class JobHandover {
  constructor(
    private readonly executor: JobExecutor,
    private readonly store: TaskStore,
    private readonly reports: TaskReports,
    private readonly events: TaskEvents,
  ) {}

  /** Whether the computer could take a job now. */
  isAvailable(computerId: string): boolean {
    return this.executor.isAvailable(computerId);
  }

  /**
   * @returns the task with whatever is known after the attempt; still submitted when the outcome is uncertain
   * @throws UnavailableFailure when the job was certainly not taken; then the task is gone again
   */
  async handOver(task: Task, { destination, message, origin }: JobParts): Promise<Task> {
    this.events.announce({ kind: 'submitted', taskId: task.id, task });
    const traceparent = traceparentFor(origin?.traceparent);
    const outcome = await this.executor.submit({
      taskId: task.id,
      computerId: destination.computerId,
      handle: destination.handle,
      contextId: task.contextId,
      accountId: task.accountId,
      interactive: task.interactive,
      message: jobMessageOf(message),
      createdAtMs: task.createdAtMs,
      expiresAtMs: task.expiresAtMs,
      ...(traceparent !== undefined && { traceparent }),
      ...(origin && { requestId: origin.requestId }),
    });
    switch (outcome.kind) {
      case 'accepted':
        return await this.reports.takeHandover(task, outcome.report);
      case 'uncertain':
        return task;
      case 'refused':
        // A task of which the daemon has reported meanwhile is one that it took, whatever it answered.
        if (!(await this.store.withdraw(task.id))) return task;
        this.events.announce({ kind: 'withdrawn', taskId: task.id, task });
        throw unavailable();
    }
  }
}

/** Says the same for every reason: which computer is how busy is its owner's business. */
export function unavailable(): UnavailableFailure {
  return new UnavailableFailure("The assistant's computer cannot take the message now; nothing was kept");
}
