import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { TooManyRequestsFailure } from '../common/index.js';
import { PartialReplies } from './partial-replies.service.js';
import { TaskEvents } from './task-events.service.js';
import { TaskSettings } from './task-settings.js';
import { TaskStream } from './task-stream.js';
import type { Task } from './task.js';

const RETRY_AFTER_SECONDS = 5;

/** A place for one stream of an account, taken before there is a task. */
export interface StreamPlace {
  /** Begins to listen to a task; the place is free again when the stream ends. */
  open(task: Task, signal: AbortSignal): TaskStream;
  /** Gives the place back if no stream was opened. */
  release(): void;
}

/** The streams of this process: at most so many an account, and none is left when the service stops. */
@Injectable()
export class OpenStreams implements OnModuleDestroy {
  readonly #streams = new Set<TaskStream>();
  readonly #places = new Map<string, number>();
  #stopped = false;

  constructor(
    private readonly events: TaskEvents,
    private readonly partials: PartialReplies,
    private readonly settings: TaskSettings,
  ) {}

  /** Streams that are open now; for metrics. */
  get count(): number {
    return this.#streams.size;
  }

  /** @throws TooManyRequestsFailure when the account has as many streams open as it may */
  reserve(accountId: string): StreamPlace {
    const limit = this.settings.streamsPerAccount;
    const taken = this.#places.get(accountId) ?? 0;
    if (taken >= limit) {
      throw new TooManyRequestsFailure(
        `At most ${limit} streams may be open at the same time`,
        RETRY_AFTER_SECONDS,
      );
    }
    this.#places.set(accountId, taken + 1);
    let stream: TaskStream | undefined;
    return {
      open: (task, signal) => (stream = this.#open(task, signal)),
      release: () => {
        if (!stream) this.#leave(accountId);
      },
    };
  }

  /** Ends every stream, and those that would still begin (requirement R8); their tasks go on, and the readers hear so. */
  onModuleDestroy(): void {
    this.#stopped = true;
    for (const stream of [...this.#streams]) stream.interrupt();
  }

  #open(task: Task, signal: AbortSignal): TaskStream {
    const onAbort = () => stream.end();
    const stream: TaskStream = new TaskStream(task, this.partials, () => {
      unsubscribe();
      signal.removeEventListener('abort', onAbort);
      this.#streams.delete(stream);
      this.#leave(task.accountId);
    });
    const unsubscribe = this.events.subscribe(task.id, (event) => stream.notice(event));
    this.#streams.add(stream);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) stream.end();
    else if (this.#stopped) stream.interrupt();
    return stream;
  }

  #leave(accountId: string): void {
    const left = (this.#places.get(accountId) ?? 1) - 1;
    if (left > 0) this.#places.set(accountId, left);
    else this.#places.delete(accountId);
  }
}
