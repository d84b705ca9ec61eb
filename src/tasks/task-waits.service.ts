import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Clock, Tally, WaitTimeoutFailure } from '../common/index.js';
import { restartFailure } from './restart-failure.js';
import { TaskEvents } from './task-events.service.js';
import { TaskSettings } from './task-settings.js';
import { TaskStore } from './task-store.js';
import { isSettled, type Task } from './task.js';

/** Past this a Node timer would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface WaitLimits {
  /** Instead of the setting. */
  budgetMs?: number;
  /** What the request has used up of its budget before it began to wait. */
  spentMs: number;
  /** The client's connection; aborted when it is gone. */
  signal: AbortSignal;
}

/** How long a caller means to wait. */
export interface Patience {
  /** Answer after the attempt itself (requirement S2). */
  returnImmediately: boolean;
  /** Aborted when the client is gone: ends the wait, not the work. */
  signal: AbortSignal;
  /** Instead of the setting; for a wire with a budget of its own. */
  waitBudgetMs?: number | undefined;
}

type WaitEnd = { kind: 'settled'; task: Task } | { kind: 'timeout' | 'gone' | 'shutdown' };

/** Lets callers wait for the end of a task in memory, without asking the database again and again (requirement S3). */
@Injectable()
export class TaskWaits implements OnModuleDestroy {
  /** What ends each wait of this moment when the service shuts down. */
  readonly #waiting = new Set<() => void>();
  /** How waits ended; for metrics. */
  readonly ends = new Tally<WaitEnd['kind']>(['settled', 'timeout', 'gone', 'shutdown']);
  #ended = false;

  constructor(
    private readonly store: TaskStore,
    private readonly events: TaskEvents,
    private readonly clock: Clock,
    private readonly settings: TaskSettings,
  ) {}

  /** Callers that wait; for metrics. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Does the work that a task begins or goes on with, and waits for its end as the caller wishes; the work counts towards
   * the wait (requirement S3).
   * @throws whatever the work throws, and what `untilSettled` does
   */
  async after(patience: Patience, work: () => Promise<Task>): Promise<Task> {
    const startedAtMs = performance.now();
    const task = await work();
    // Only now: who does not wait needs no signal, and none is made.
    if (patience.returnImmediately) return task;
    const { signal, waitBudgetMs } = patience;
    return await this.untilSettled(task, {
      spentMs: performance.now() - startedAtMs,
      signal,
      ...(waitBudgetMs !== undefined && { budgetMs: waitBudgetMs }),
    });
  }

  /**
   * Waits until a task is terminal or asks for input.
   * @returns the task then, or its last known state when the client is gone
   * @throws WaitTimeoutFailure when the budget ran out; work goes on
   * @throws UnavailableFailure when the service shuts down meanwhile
   */
  async untilSettled(task: Task, limits: WaitLimits): Promise<Task> {
    if (isSettled(task)) return task;
    const end = await this.#wait(task, limits);
    this.ends.add(end.kind);
    const ids = { taskId: task.id, contextId: task.contextId };
    switch (end.kind) {
      case 'settled':
        return end.task;
      case 'gone':
        return task;
      case 'timeout':
        throw new WaitTimeoutFailure(ids);
      case 'shutdown':
        throw restartFailure(task.id, task.contextId);
    }
  }

  /** Ends every wait, and those that would still begin (requirement R8). */
  endWaits(): void {
    this.#ended = true;
    for (const end of this.#waiting) end();
  }

  onModuleDestroy(): void {
    this.endWaits();
  }

  /** Subscribes before it reads, so that a job that ends in between is not missed. */
  async #wait(task: Task, limits: WaitLimits): Promise<WaitEnd> {
    let resolve: (end: WaitEnd) => void = () => undefined;
    const ended = new Promise<WaitEnd>((settled) => (resolve = settled));
    const onShutdown = () => resolve({ kind: 'shutdown' });
    const onGone = () => resolve({ kind: 'gone' });
    const settle = (known: Task) => isSettled(known) && resolve({ kind: 'settled', task: known });
    const unsubscribe = this.events.subscribe(task.id, (event) => {
      if (event.kind === 'changed') settle(event.task);
    });
    const leftMs = (limits.budgetMs ?? this.settings.waitBudgetMs) - limits.spentMs;
    const timer = setTimeout(
      () => resolve({ kind: 'timeout' }),
      Math.min(Math.max(0, leftMs), LONGEST_TIMER_MS),
    );
    limits.signal.addEventListener('abort', onGone, { once: true });
    this.#waiting.add(onShutdown);
    try {
      const known = await this.store.find(task, task.id, this.clock.now());
      if (known) settle(known);
      if (limits.signal.aborted) onGone();
      if (this.#ended) onShutdown();
      return await ended;
    } finally {
      this.#waiting.delete(onShutdown);
      unsubscribe();
      clearTimeout(timer);
      limits.signal.removeEventListener('abort', onGone);
    }
  }
}
