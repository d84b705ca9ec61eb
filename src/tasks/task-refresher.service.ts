import { Injectable } from '@nestjs/common';
import { isTerminal } from '../a2a/index.js';
import { Clock } from '../common/index.js';
import { JobQuestions, MAX_TASKS_A_QUESTION } from './job-questions.service.js';
import { JobSubmissions } from './job-submissions.service.js';
import { TaskStore } from './task-store.js';
import type { Task } from './task.js';

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
   * one tick and computer travel together.
   * @returns once the answer, if there is one, is on disk
   */
  async refresh(task: Task): Promise<void> {
    if (isTerminal(task.state) || this.submissions.isInFlight(task.id)) return;
    if (!this.questions.canAsk(task.computerId)) return;
    let asking = this.#inFlight.get(task.id);
    if (!asking) {
      asking = this.#enqueue(task).finally(() => this.#inFlight.delete(task.id));
      this.#inFlight.set(task.id, asking);
    }
    await asking;
  }

  /**
   * Asks about the open tasks of a computer, least recently checked first.
   * @param limit how many tasks at most; asked in questions of 50, until the computer stops answering
   * @returns how many tasks were asked about
   */
  async reconcile(computerId: string, limit: number): Promise<number> {
    const open = await this.store.openTasks(computerId, limit, this.clock.now());
    const tasks = open.filter((task) => !this.submissions.isInFlight(task.id));
    let asked = 0;
    for (let start = 0; start < tasks.length; start += MAX_TASKS_A_QUESTION) {
      const batch = tasks.slice(start, start + MAX_TASKS_A_QUESTION);
      asked += batch.length;
      if (!(await this.questions.ask(computerId, batch, 'long'))) break;
    }
    return asked;
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
