import {
  JobExecutor,
  type CancelOutcome,
  type InputOutcome,
  type JobInput,
  type JobOrder,
  type StatusAnswer,
  type SubmitOutcome,
} from '../tasks/index.js';

export interface DividedJobs {
  /** For the computers of this process. */
  local: JobExecutor;
  /** For all others. */
  remote: JobExecutor;
  isLocal: (computerId: string) => boolean;
}

/** The jobs of this process's own assistants stay in it, whatever another executor does with those of the others. */
export class DividedJobExecutor extends JobExecutor {
  constructor(private readonly jobs: DividedJobs) {
    super();
  }

  isAvailable(computerId: string): boolean {
    return this.for(computerId).isAvailable(computerId);
  }

  submit(order: JobOrder): Promise<SubmitOutcome> {
    return this.for(order.computerId).submit(order);
  }

  status(
    computerId: string,
    taskIds: string[],
    patience: 'short' | 'long',
  ): Promise<StatusAnswer[] | undefined> {
    return this.for(computerId).status(computerId, taskIds, patience);
  }

  cancel(computerId: string, taskId: string, requestId?: string): Promise<CancelOutcome> {
    return this.for(computerId).cancel(computerId, taskId, requestId);
  }

  answer(input: JobInput): Promise<InputOutcome> {
    return this.for(input.computerId).answer(input);
  }

  forget(computerId: string, taskIds: string[]): void {
    this.for(computerId).forget(computerId, taskIds);
  }

  private for(computerId: string): JobExecutor {
    return this.jobs.isLocal(computerId) ? this.jobs.local : this.jobs.remote;
  }
}
