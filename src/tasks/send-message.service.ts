import { Injectable } from '@nestjs/common';
import { isTerminal } from '../a2a/index.js';
import { JobHandover, unavailable } from './job-handover.service.js';
import { JobSubmissions } from './job-submissions.service.js';
import { MessageAcceptance, type OutgoingMessage } from './message-acceptance.service.js';
import { TaskWaits, type Patience } from './task-waits.service.js';
import type { SentTask, Task } from './task.js';

export interface SendRequest extends OutgoingMessage, Patience {
  /** Called once the task is known; for a new one before its daemon hears of it. A stream begins here. */
  onAccepted?: (task: Task) => void;
}

/** SendMessage: one message becomes one task and one job, however often it is sent (requirements S1–S9). */
@Injectable()
export class SendMessage {
  constructor(
    private readonly acceptance: MessageAcceptance,
    private readonly handover: JobHandover,
    private readonly submissions: JobSubmissions,
    private readonly waits: TaskWaits,
  ) {}

  /**
   * @returns the task: after the submission attempt, or once it is settled; with its history where that is known
   * @throws InvalidParamsError for a key used for another message, or an unknown context
   * @throws TooManyRequestsFailure past the hourly quota
   * @throws UnavailableFailure when the job was not taken (nothing is kept), or the service shuts down (with the task)
   * @throws WaitTimeoutFailure when the wait budget ran out
   */
  async execute(request: SendRequest): Promise<SentTask> {
    return await this.waits.after(request, () => this.#submitted(request));
  }

  /**
   * The message's task after its one submission attempt, made by this call or by an earlier copy. Whether it is a copy
   * shows when it is accepted; only while its computer can take nothing it is looked up before.
   */
  async #submitted(request: SendRequest): Promise<SentTask> {
    if (!this.handover.isAvailable(request.destination.computerId)) return await this.#earlier(request);
    const draft = this.acceptance.draft(request);
    const sent = await this.submissions.track(draft.id, async () => {
      const { task, isNew } = await this.acceptance.accept(draft, request);
      request.onAccepted?.(task);
      if (!isNew) return task;
      const sent = await this.handover.handOver(task, request);
      // Its computer has said nothing yet that is part of the conversation.
      return isTerminal(sent.state) || sent.state === 'input_required'
        ? sent
        : { ...sent, history: [request.message] };
    });
    return await this.#join(sent);
  }

  /** The task of an earlier copy, which is answered whether or not the computer is there. */
  async #earlier(request: SendRequest): Promise<Task> {
    const known = await this.acceptance.known(request);
    if (!known) throw unavailable();
    request.onAccepted?.(known);
    return await this.#join(known);
  }

  /**
   * A copy waits for the outcome of the first one's submission and shares it. A task that was never heard of is read
   * again even when no submission is in flight: it may have been withdrawn, or reported on, since it was read.
   */
  async #join(task: SentTask): Promise<SentTask> {
    if (task.revision > 0) return task;
    await this.submissions.settled(task.id);
    const current = await this.acceptance.current(task);
    if (!current) throw unavailable();
    return current;
  }
}
