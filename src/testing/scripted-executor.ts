import {
  type CancelOutcome,
  type InputOutcome,
  type JobInput,
  JobExecutor,
  type JobOrder,
  type StatusAnswer,
  type SubmitOutcome,
  type TaskReport,
} from '../tasks/index.js';

/** A computer that does what the test says. By default it takes every job and leaves it queued. */
export class ScriptedExecutor extends JobExecutor {
  available = true;
  readonly orders: JobOrder[] = [];
  readonly questions: { taskIds: string[]; patience: string }[] = [];
  readonly canceled: string[] = [];
  readonly forgotten: string[] = [];

  onSubmit: (order: JobOrder) => Promise<SubmitOutcome> | SubmitOutcome = (order) => ({
    kind: 'accepted',
    report: report(order.taskId, 'submitted', 1),
  });
  onStatus: (taskIds: string[]) => Promise<StatusAnswer[] | undefined> | StatusAnswer[] | undefined = () =>
    undefined;
  onCancel: (taskId: string) => Promise<CancelOutcome> | CancelOutcome = () => ({ kind: 'unreachable' });

  readonly answers: JobInput[] = [];
  onAnswer: (input: JobInput) => Promise<InputOutcome> | InputOutcome = () => ({ kind: 'not_sent' });

  override isAvailable(): boolean {
    return this.available;
  }

  override async submit(order: JobOrder): Promise<SubmitOutcome> {
    this.orders.push(order);
    return await this.onSubmit(order);
  }

  override async status(_computerId: string, taskIds: string[], patience: 'short' | 'long') {
    this.questions.push({ taskIds, patience });
    return await this.onStatus(taskIds);
  }

  override async cancel(_computerId: string, taskId: string): Promise<CancelOutcome> {
    this.canceled.push(taskId);
    return await this.onCancel(taskId);
  }

  override async answer(input: JobInput): Promise<InputOutcome> {
    this.answers.push(input);
    return await this.onAnswer(input);
  }

  override forget(_computerId: string, taskIds: string[]): void {
    this.forgotten.push(...taskIds);
  }
}

/** What a daemon says of a job. */
export function report(
  taskId: string,
  state: TaskReport['state'],
  revision: number,
  more: Partial<TaskReport> = {},
): TaskReport {
  return { taskId, state, revision, ...more };
}
