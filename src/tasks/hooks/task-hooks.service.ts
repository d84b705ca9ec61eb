import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { describeError, stackOf } from '../../common/index.js';
import { TaskEvents } from '../task-events.service.js';
import {
  hookEventOf,
  withTexts,
  type TaskChange,
  type TaskEventKind,
  type TaskPruned,
} from './task-hook-events.js';

/** Events that may wait for one slow listener; the next ones are lost, and that is logged. */
const MAX_WAITING = 10_000;

export interface TaskHook {
  kinds: ReadonlySet<TaskEventKind>;
  texts: boolean;
  /** Class and method, for the log. */
  origin: string;
  listen: (event: TaskChange | TaskPruned) => unknown;
}

/** Takes what happens to tasks to the listeners of providers; `@OnTaskEvent` says with which guarantees. */
@Injectable()
export class TaskHooks implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('TaskHooks');
  private readonly lines: { hook: TaskHook; line: ListenerLine }[] = [];
  private unsubscribe: (() => void) | undefined;

  constructor(private readonly events: TaskEvents) {}

  onModuleInit(): void {
    this.unsubscribe = this.events.watch((happening) => {
      if (this.lines.length === 0) return;
      const heard = hookEventOf(happening);
      if (!heard) return;
      for (const { hook, line } of this.lines) {
        if (!hook.kinds.has(heard.event.kind)) continue;
        line.push(hook.texts ? withTexts(heard.event, heard.task) : heard.event);
      }
    });
  }

  onModuleDestroy(): void {
    this.unsubscribe?.();
  }

  add(hook: TaskHook): void {
    this.lines.push({ hook, line: new ListenerLine(hook, this.logger) });
  }
}

/** The events of one listener: one after another for each task, side by side for several. */
class ListenerLine {
  private readonly last = new Map<string, Promise<void>>();
  private waiting = 0;
  private lost = 0;

  constructor(
    private readonly hook: TaskHook,
    private readonly logger: Logger,
  ) {}

  push(event: TaskChange | TaskPruned): void {
    if (this.waiting >= MAX_WAITING) {
      this.lose();
      return;
    }
    this.waiting += 1;
    const { taskId } = event;
    // Never within the call that publishes: a listener must not hold up who waits for the task.
    const turn = (this.last.get(taskId) ?? Promise.resolve())
      .then(() => this.hook.listen(event))
      .catch((error: unknown) => {
        const msg = `${this.hook.origin} failed at task ${taskId}: ${describeError(error)}`;
        this.logger.error({ msg, stack: stackOf(error) });
      })
      .then(() => {
        this.waiting -= 1;
        if (this.last.get(taskId) === turn) this.last.delete(taskId);
      });
    this.last.set(taskId, turn);
  }

  private lose(): void {
    this.lost += 1;
    if (this.lost % MAX_WAITING === 1) {
      this.logger.error(`${this.hook.origin} is too slow; ${this.lost} events were lost so far`);
    }
  }
}
