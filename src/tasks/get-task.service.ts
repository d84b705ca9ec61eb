import { Injectable } from '@nestjs/common';
import { type Message, TaskNotFoundError, isTerminal } from '../a2a/index.js';
import { Clock } from '../common/index.js';
import { TaskRefresher } from './task-refresher.service.js';
import { TaskStore } from './task-store.js';
import type { SentTask, Task, TaskScope, TaskWithHistory } from './task.js';

/** GetTask: the newest state that can be had (requirement G1). */
@Injectable()
export class GetTask {
  constructor(
    private readonly store: TaskStore,
    private readonly refresher: TaskRefresher,
    private readonly clock: Clock,
  ) {}

  /**
   * @param historyLength how many of its last messages come with it; absent = all (requirement G2)
   * @returns a terminal task from the store alone; another one after its computer was asked, if it is there
   * @throws TaskNotFoundError for a task of another scope as for one that never was (requirement H4)
   */
  async execute(scope: TaskScope, taskId: string, historyLength?: number): Promise<TaskWithHistory> {
    const task = await this.#find(scope, taskId, historyLength);
    if (isTerminal(task.state)) return task;
    await this.refresher.refresh(task);
    return await this.#find(scope, taskId, historyLength);
  }

  /** The task as last known; its computer is not asked. Absent in another scope as well. */
  async stored(scope: TaskScope, taskId: string): Promise<Task | undefined> {
    return await this.store.find(scope, taskId, this.clock.now());
  }

  /**
   * The messages of a task, oldest first (requirement G2).
   * @param task one that the caller was allowed to read
   * @param length absent = all, 0 = none, n = the last n
   */
  async history(task: SentTask, length?: number): Promise<Message[]> {
    if (length === 0) return [];
    return (
      task.history?.slice(-(length ?? task.history.length)) ?? (await this.store.history(task.id, length))
    );
  }

  async #find(scope: TaskScope, taskId: string, historyLength: number | undefined): Promise<TaskWithHistory> {
    const task = await this.store.findWithHistory(scope, taskId, historyLength, this.clock.now());
    if (!task) throw new TaskNotFoundError();
    return task;
  }
}
