import { Injectable } from '@nestjs/common';
import type { Message } from '../a2a/index.js';
import { TaskStore } from './task-store.js';
import type { Task } from './task.js';

/** The messages of a task, for the wires (requirement G2). */
@Injectable()
export class TaskHistory {
  constructor(private readonly store: TaskStore) {}

  /**
   * @param task one that the caller was allowed to read
   * @param length absent = all, 0 = none, n = the last n
   * @returns messages, oldest first
   */
  async of(task: Task, length?: number): Promise<Message[]> {
    return length === 0 ? [] : await this.store.history(task.id, length);
  }
}
