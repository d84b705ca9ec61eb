import { Injectable } from '@nestjs/common';
import { isTerminal } from '../a2a/index.js';
import { Clock, StorageUnavailableError, untilAborted } from '../common/index.js';
import { JobQuestions, MAX_TASKS_A_QUESTION } from './job-questions.service.js';
import { JobSubmissions } from './job-submissions.service.js';
import { TaskStore } from './task-store.js';
import type { Task } from './task.js';

/** How long a caller's GetTask waits for somebody else's question. */
const CALLER_PATIENCE_MS = 2_000;

/** Tasks of one computer about which one question will be asked in this tick. */
interface Question {
  tasks: Task[];
  asked: Promise<void>;
}

/**
 * Brings tasks up to date with what their computers know (requirements G1, R5). Never submits anything, and never
 * asks about a task whose submission is still on its way.
 */
@Injectable()
export class TaskRefresher {
  readonly #inFlight = new Map<string, Promise<void>>();
  readonly #next = new Map<string, Question>();

  constructor(
    private readonly questions: JobQuestions,
    private readonly store: TaskStore,
    private readonly submissions: JobSubmissions,
    private readonly clock: Clock,
  ) {}

  /**
   * Brings one task up to date, if its computer is there and answers soon. One question a task is in flight; those of
   * one tick and computer travel together. An answer that cannot be stored is as good as none.
   * @returns once the answer is on disk, or after a short while without one
   */
  async refresh(task: Task): Promise<void> {
    if (isTerminal(task.state) || this.submissions.isInFlight(task.id)) return;
    try {
      await this.#answered(task);
    } catch (error) {
      // What is known can still be read while nothing can be written.
      if (!(error instanceof StorageUnavailableError)) throw error;
    }
  }

  /**
   * Asks about the open tasks of a computer, least recently checked first, leaving out those asked about right now.
   * @param limit how many tasks at most; asked in questions of 50, until the computer stops answering
   * @returns how many tasks were asked about
   */
  async reconcile(computerId: string, limit: number): Promise<number> {
    const open = await this.store.openTasks(computerId, limit, this.clock.now());
    let asked = 0;
    for (let start = 0; start < open.length; start += MAX_TASKS_A_QUESTION) {
      const batch = open
        .slice(start, start + MAX_TASKS_A_QUESTION)
        .filter(({ id }) => !this.submissions.isInFlight(id) && !this.#inFlight.has(id));
      if (batch.length === 0) continue;
      asked += batch.length;
      const answered = this.questions.ask(computerId, batch, 'long');
      await this.#ask(batch, answered);
      if (!(await answered)) break;
    }
    return asked;
  }

  async #answered(task: Task): Promise<void> {
    const underWay = this.#inFlight.get(task.id);
    if (!underWay) return await this.#ask([task], this.#enqueue(task));
    // A question of the reconciler has more patience than a caller.
    await untilAborted(underWay, AbortSignal.timeout(CALLER_PATIENCE_MS));
  }

  /** Marks tasks as asked about until their question is settled. */
  async #ask(tasks: Task[], question: Promise<unknown>): Promise<void> {
    const settled = question.then(() => undefined);
    for (const { id } of tasks) this.#inFlight.set(id, settled);
    try {
      await settled;
    } finally {
      for (const { id } of tasks) this.#inFlight.delete(id);
    }
  }

  #enqueue(task: Task): Promise<void> {
    let question = this.#next.get(task.computerId);
    if (!question || question.tasks.length >= MAX_TASKS_A_QUESTION) {
      question = this.#openQuestion(task.computerId);
    }
    question.tasks.push(task);
    return question.asked;
  }

  #openQuestion(computerId: string): Question {
    const tasks: Task[] = [];
    const question: Question = {
      tasks,
      asked: new Promise<void>((resolve) => setImmediate(resolve)).then(async () => {
        if (this.#next.get(computerId) === question) this.#next.delete(computerId);
        await this.questions.ask(computerId, tasks, 'short');
      }),
    };
    this.#next.set(computerId, question);
    return question;
  }
}
