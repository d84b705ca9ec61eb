import { Injectable, Logger } from '@nestjs/common';
import { describeError } from '../common/index.js';
import type { Task } from './task.js';

export type TaskEvent =
  /** The task as it is on disk now. */
  | { kind: 'changed'; taskId: string; task: Task }
  /** There is more partial output of the job; `PartialReplies` has it. */
  | { kind: 'partial'; taskId: string; computerId: string };

/** What whoever watches all tasks hears besides; nobody can wait for a task with it. */
export type TaskHappening =
  | TaskEvent
  /** The message was accepted. */
  | { kind: 'submitted'; taskId: string; task: Task }
  /** The job was certainly not taken, and the task is gone again. */
  | { kind: 'withdrawn'; taskId: string; task: Task }
  /** The task was deleted since its time was over. */
  | { kind: 'pruned'; taskId: string };

export type TaskListener = (event: TaskEvent) => void;

/**
 * Tells those who wait in this process that a task has changed. Published after the commit, never before, and in the
 * order of the commits of one task. Nothing is kept for later: subscribe first, then read (design §5).
 */
@Injectable()
export class TaskEvents {
  readonly #logger = new Logger(TaskEvents.name);
  readonly #listeners = new Map<string, Set<TaskListener>>();
  readonly #watchers = new Set<(happening: TaskHappening) => void>();

  /** @returns ends the subscription; may be called again */
  subscribe(taskId: string, listener: TaskListener): () => void {
    const listeners = this.#listeners.get(taskId) ?? new Set();
    listeners.add(listener);
    this.#listeners.set(taskId, listeners);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(taskId) === listeners) this.#listeners.delete(taskId);
    };
  }

  /**
   * Hears of all tasks.
   * @param watcher must not throw
   * @returns ends it
   */
  watch(watcher: (happening: TaskHappening) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Tells those who watch all tasks. */
  announce(happening: TaskHappening): void {
    for (const watcher of this.#watchers) watcher(happening);
  }

  /** A listener that throws is nobody else's problem. */
  publish(event: TaskEvent): void {
    this.announce(event);
    const listeners = this.#listeners.get(event.taskId);
    if (!listeners) return;
    for (const listener of [...listeners]) {
      try {
        listener(event);
      } catch (error) {
        this.#logger.error(`A listener of task ${event.taskId} failed: ${describeError(error)}`);
      }
    }
  }

  /** All subscriptions of the process; zero when nobody waits. */
  get listenerCount(): number {
    let count = 0;
    for (const listeners of this.#listeners.values()) count += listeners.size;
    return count;
  }
}
