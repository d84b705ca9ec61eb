import { Injectable } from '@nestjs/common';
import { AnswerDelivery } from './answer-delivery.service.js';
import { JobExecutor, type StatusAnswer } from './job-executor.js';
import { TaskReports } from './task-reports.service.js';
import type { Task, TaskReport } from './task.js';

/** What the link allows in one question (relay protocol, `job.status`). */
export const MAX_TASKS_A_QUESTION = 50;

/** Asks a computer what became of some tasks, and takes the answers over like reports (requirements G1, R5). */
@Injectable()
export class JobQuestions {
  constructor(
    private readonly executor: JobExecutor,
    private readonly reports: TaskReports,
    private readonly answers: AnswerDelivery,
  ) {}

  /** @returns whether the computer answered; then everything it said is on disk */
  async ask(computerId: string, tasks: Task[], patience: 'short' | 'long'): Promise<boolean> {
    const asked = new Map(tasks.map((task) => [task.id, task]));
    const answers = await this.executor.status(computerId, [...asked.keys()], patience);
    if (!answers) return false;
    // Together, so that they share one commit.
    await Promise.all(answers.map((answer) => this.#take(computerId, answer, asked)));
    return true;
  }

  /** An answer to what was not asked is none. */
  async #take(computerId: string, answer: StatusAnswer, asked: ReadonlyMap<string, Task>): Promise<void> {
    const task = asked.get(answer.kind === 'reported' ? answer.report.taskId : answer.taskId);
    if (!task) return;
    if (answer.kind === 'unknown') {
      await this.reports.takeUnknown(computerId, { taskId: task.id, revision: task.revision });
      return;
    }
    const outcome = await this.reports.take(computerId, answer.report, { checked: true });
    if (outcome.kind === 'ignored' && stillAsks(outcome.task, answer.report)) {
      await this.answers.redeliver(outcome.task);
    }
  }
}

/** The daemon waits with the question that was answered, so that the answer has not reached it (requirement P6). */
function stillAsks(task: Task, report: TaskReport): boolean {
  return (
    task.pendingAnswer !== undefined && report.state === 'input_required' && report.revision === task.revision
  );
}
