import { Injectable } from '@nestjs/common';

/**
 * Which tasks are being accepted and handed over by this process at the moment. While that goes on nobody else may
 * draw conclusions about them: a daemon asked too early would say that it does not know the job.
 */
@Injectable()
export class JobSubmissions {
  readonly #inFlight = new Map<string, Promise<unknown>>();

  /**
   * Runs the acceptance and submission of a task; registered before anything of the task is on disk. Of several at
   * once each has its own result, and the task is in flight until the last one is over.
   */
  async track<T>(taskId: string, work: () => Promise<T>): Promise<T> {
    const running = work();
    const earlier = this.#inFlight.get(taskId);
    const all = earlier ? Promise.allSettled([earlier, running]) : running;
    this.#inFlight.set(taskId, all);
    try {
      return await running;
    } finally {
      if (earlier) await earlier.catch(() => undefined);
      if (this.#inFlight.get(taskId) === all) this.#inFlight.delete(taskId);
    }
  }

  isInFlight(taskId: string): boolean {
    return this.#inFlight.has(taskId);
  }

  /** Resolves when the submission of a task is over, however it went; at once when there is none. */
  async settled(taskId: string): Promise<void> {
    await this.#inFlight.get(taskId)?.catch(() => undefined);
  }
}
