import { Injectable } from '@nestjs/common';
import { TaskNotFoundError, isTerminal } from '../a2a/index.js';
import { Clock } from '../common/index.js';
import { TaskRefresher } from './task-refresher.service.js';
import { TaskStore } from './task-store.js';
import type { Task, TaskScope } from './task.js';

/** GetTask: the newest state that can be had (requirement G1). */
@Injectable()
export class GetTask {
  constructor(
    private readonly store: TaskStore,
    private readonly refresher: TaskRefresher,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns a terminal task from the store alone; another one after its computer was asked, if it is there
   * @throws TaskNotFoundError for a task of another scope as for one that never was (requirement H4)
   */
  async execute(scope: TaskScope, taskId: string): Promise<Task> {
    const task = await this.#find(scope, taskId);
    if (isTerminal(task.state)) return task;
    await this.refresher.refresh(task);
    return await this.#find(scope, taskId);
  }

  async #find(scope: TaskScope, taskId: string): Promise<Task> {
    const task = await this.store.find(scope, taskId, this.clock.now());
    if (!task) throw new TaskNotFoundError();
    return task;
  }
}
