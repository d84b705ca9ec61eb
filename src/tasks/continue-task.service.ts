import { Injectable } from '@nestjs/common';
import { InvalidParamsError, TaskNotFoundError } from '../a2a/index.js';
import { AnswerDelivery } from './answer-delivery.service.js';
import { unavailable } from './job-handover.service.js';
import { JobSubmissions } from './job-submissions.service.js';
import { MessageAcceptance, notAsking, type KeyedMessage } from './message-acceptance.service.js';
import type { SendRequest } from './send-message.service.js';
import { TaskWaits, type Patience } from './task-waits.service.js';
import { isSettled, type Task } from './task.js';

/** A message that answers the question of a task. */
export interface ContinueRequest extends KeyedMessage, Patience, Pick<SendRequest, 'onAccepted'> {
  taskId: string;
}

/** The answer to a question: the same task goes on with it, however often it is sent (requirements P6, S5). */
@Injectable()
export class ContinueTask {
  constructor(
    private readonly acceptance: MessageAcceptance,
    private readonly delivery: AnswerDelivery,
    private readonly submissions: JobSubmissions,
    private readonly waits: TaskWaits,
  ) {}

  /**
   * @returns the task: after the delivery attempt, or once it is settled again
   * @throws TaskNotFoundError, UnsupportedOperationError when the task is over or does not ask
   * @throws InvalidParamsError for a contextId that is not the task's, or a key used for another message
   * @throws TooManyRequestsFailure past the hourly quota
   * @throws UnavailableFailure when the answer was not handed over (nothing is kept), or the service shuts down
   * @throws WaitTimeoutFailure when the wait budget ran out
   */
  async execute(request: ContinueRequest): Promise<Task> {
    return await this.waits.after(request, () => this.#answered(request));
  }

  /** The task after the one delivery attempt of its answer, made by this call or by an earlier copy. */
  async #answered(request: ContinueRequest): Promise<Task> {
    const known = await this.acceptance.known(request);
    if (known) return await this.#join(known, request);
    const asking = await this.#asking(request);
    this.delivery.requireAvailable(asking.computerId);
    const sent = await this.submissions.track(asking.id, async () => {
      const { task, isNew } = await this.acceptance.acceptAnswer(request);
      if (!isNew) return undefined;
      request.onAccepted?.(task);
      return await this.delivery.deliver(task, request.message, request.origin?.requestId);
    });
    return sent ?? (await this.#join(asking, request));
  }

  /** Checked before anything is written, for the better error; the store checks again with the writing. */
  async #asking(request: ContinueRequest): Promise<Task> {
    const task = await this.acceptance.current({ ...request.scope, id: request.taskId });
    if (!task) throw new TaskNotFoundError();
    if (request.contextId !== undefined && request.contextId !== task.contextId) {
      throw new InvalidParamsError([
        { field: 'message.contextId', description: 'is not the context of that task' },
      ]);
    }
    if (task.state !== 'input_required' || !isSettled(task)) throw notAsking(task);
    return task;
  }

  /** A copy waits for the delivery of the first one and shares its outcome: an answer that is gone was not delivered. */
  async #join(task: Pick<Task, 'id'>, request: ContinueRequest): Promise<Task> {
    await this.submissions.settled(task.id);
    const current = await this.acceptance.known(request);
    if (!current) throw unavailable();
    request.onAccepted?.(current);
    return current;
  }
}
