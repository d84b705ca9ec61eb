import { Injectable } from '@nestjs/common';
import { TaskNotFoundError } from '../a2a/index.js';
import { ContinueTask, type ContinueRequest } from './continue-task.service.js';
import { GetTask } from './get-task.service.js';
import { OpenStreams } from './open-streams.service.js';
import { SendMessage, type SendRequest } from './send-message.service.js';
import type { TaskStream, TaskStreamEvent } from './task-stream.js';
import type { Task, TaskScope } from './task.js';

/** A request whose answer is a stream; it waits for nothing. */
type Streamed<T> = Omit<T, 'returnImmediately' | 'waitBudgetMs' | 'onAccepted'>;

/**
 * Tasks as streams of events (requirement P4). Each method settles when it is certain that there will be a stream, and
 * rejects with what the call without a stream would have failed with. A stream ends by itself when its task is
 * over or asks for input; it is to be returned by whoever stops reading earlier. A reader who goes away stops nothing.
 */
@Injectable()
export class TaskStreams {
  constructor(
    private readonly sendMessage: SendMessage,
    private readonly continueTask: ContinueTask,
    private readonly getTask: GetTask,
    private readonly streams: OpenStreams,
  ) {}

  /** @throws whatever `SendMessage.execute` throws, and TooManyRequestsFailure for too many streams */
  ofNewMessage(request: Streamed<SendRequest>): Promise<AsyncIterableIterator<TaskStreamEvent>> {
    return this.#follow(request, (onAccepted) =>
      this.sendMessage.execute({ ...request, returnImmediately: true, onAccepted }),
    );
  }

  /** @throws whatever `ContinueTask.execute` throws, and TooManyRequestsFailure for too many streams */
  ofAnswer(request: Streamed<ContinueRequest>): Promise<AsyncIterableIterator<TaskStreamEvent>> {
    return this.#follow(request, (onAccepted) =>
      this.continueTask.execute({ ...request, returnImmediately: true, onAccepted }),
    );
  }

  /** @throws TaskNotFoundError, and TooManyRequestsFailure for too many streams */
  ofTask(
    scope: TaskScope,
    taskId: string,
    signal: AbortSignal,
  ): Promise<AsyncIterableIterator<TaskStreamEvent>> {
    return this.#follow({ scope, signal }, async (onAccepted) => {
      const task = await this.getTask.stored(scope, taskId);
      if (!task) throw new TaskNotFoundError();
      onAccepted(task);
      return task;
    });
  }

  /** The stream listens from the moment in which the task is known; what happened just before that is read again. */
  async #follow(
    { scope, signal }: { scope: TaskScope; signal: AbortSignal },
    call: (onAccepted: (task: Task) => void) => Promise<Task>,
  ): Promise<TaskStream> {
    const place = this.streams.reserve(scope.accountId);
    let stream: TaskStream | undefined;
    try {
      const called = await call((task) => (stream ??= place.open(task, signal)));
      stream ??= place.open(called, signal);
      const task = await this.getTask.stored(scope, called.id);
      if (!task) throw new TaskNotFoundError();
      stream.notice({ kind: 'changed', taskId: task.id, task });
      return stream;
    } catch (error) {
      stream?.end();
      throw error;
    } finally {
      place.release();
    }
  }
}
