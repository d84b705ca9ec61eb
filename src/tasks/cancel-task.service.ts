import { Injectable } from '@nestjs/common';
import { TaskNotCancelableError, TaskNotFoundError, isTerminal } from '../a2a/index.js';
import { Clock, UnavailableFailure } from '../common/index.js';
import { JobCancellation } from './job-cancellation.service.js';
import { JobSubmissions } from './job-submissions.service.js';
import { TaskStore } from './task-store.js';
import type { Task, TaskScope } from './task.js';

/** CancelTask: confirms nothing that the daemon has not confirmed (requirement G5). */
@Injectable()
export class CancelTask {
  constructor(
    private readonly store: TaskStore,
    private readonly cancellation: JobCancellation,
    private readonly submissions: JobSubmissions,
    private readonly clock: Clock,
  ) {}

  /**
   * @param requestId names the caller's request
   * @returns the task as it is stored: canceled, or still open with the time of the request
   * @throws TaskNotFoundError, TaskNotCancelableError
   * @throws UnavailableFailure when the computer is offline or did not acknowledge in time
   */
  async execute(scope: TaskScope, taskId: string, requestId?: string): Promise<Task> {
    await this.submissions.settled(taskId);
    const task = await this.store.find(scope, taskId, this.clock.now());
    if (!task) throw new TaskNotFoundError();
    if (isTerminal(task.state)) throw new TaskNotCancelableError();
    const result = await this.cancellation.cancel(task, requestId);
    if (!result) {
      throw new UnavailableFailure(
        "The assistant's computer did not confirm the cancellation; try again",
        5,
        {
          taskId: task.id,
          contextId: task.contextId,
        },
      );
    }
    if (isTerminal(result.state) && result.state !== 'canceled') throw new TaskNotCancelableError();
    return result;
  }
}
