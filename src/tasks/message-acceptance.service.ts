import { Injectable } from '@nestjs/common';
import { InvalidParamsError, type Message } from '../a2a/index.js';
import { Clock, IdGenerator, TooManyRequestsFailure } from '../common/index.js';
import { fingerprintOf } from './fingerprint.js';
import { TaskSettings } from './task-settings.js';
import { TaskStore } from './task-store.js';
import type { Destination, Task, TaskDraft, TaskScope } from './task.js';

const QUOTA_WINDOW_MS = 60 * 60 * 1000;

/** A message on its way to an assistant. */
export interface OutgoingMessage {
  scope: TaskScope;
  destination: Destination;
  message: Message;
  /** Absent: a new conversation. */
  contextId?: string | undefined;
  /** `Idempotency-Key`, else the messageId (requirement S5). */
  retryKey: string;
  /** What the caller calls the key; named when it was used for another message. */
  retryKeyField: string;
  /** Whether somebody can answer a question of the job (requirement P6). */
  interactive: boolean;
}

/** Decides whether a message becomes a task, and writes it down (requirements S1, S5, S6, S9). */
@Injectable()
export class MessageAcceptance {
  constructor(
    private readonly store: TaskStore,
    private readonly settings: TaskSettings,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
  ) {}

  /**
   * The task that an earlier copy of the message made, if there is one.
   * @throws InvalidParamsError when the key was used for another message
   */
  async known(request: OutgoingMessage): Promise<Task | undefined> {
    const found = await this.store.findByRetryKey(request.scope, request.retryKey, this.clock.now());
    if (!found) return undefined;
    if (found.fingerprint !== fingerprintOf(request.message, request.contextId)) throw conflict(request);
    return found.task;
  }

  /** A draft with its own id; nothing is written yet. */
  draft(request: OutgoingMessage): TaskDraft {
    return {
      id: this.ids.next(),
      scope: request.scope,
      computerId: request.destination.computerId,
      contextId: request.contextId ?? this.ids.next(),
      contextIsNew: request.contextId === undefined,
      retryKey: request.retryKey,
      fingerprint: fingerprintOf(request.message, request.contextId),
      message: request.message,
      interactive: request.interactive,
    };
  }

  /**
   * @returns the task, and whether it is this call that made it
   * @throws InvalidParamsError for a used key or an unknown context
   * @throws TooManyRequestsFailure when the account's messages of the hour are used up
   */
  async accept(draft: TaskDraft, request: OutgoingMessage): Promise<{ task: Task; isNew: boolean }> {
    const nowMs = this.clock.now();
    const outcome = await this.store.accept(
      draft,
      { limit: this.settings.messagesPerHour, windowMs: QUOTA_WINDOW_MS },
      { nowMs, expiresAtMs: nowMs + this.settings.retentionMs },
    );
    switch (outcome.kind) {
      case 'accepted':
        return { task: outcome.task, isNew: true };
      case 'repeated':
        return { task: outcome.task, isNew: false };
      case 'conflict':
        throw conflict(request);
      case 'unknown_context':
        throw new InvalidParamsError([
          { field: 'message.contextId', description: 'is no conversation of yours with this assistant' },
        ]);
      case 'quota_exceeded':
        throw new TooManyRequestsFailure(
          `At most ${this.settings.messagesPerHour} new messages an hour may be sent`,
          Math.ceil(outcome.retryAfterMs / 1000),
        );
    }
  }

  /** The task as it is now; absent when it was withdrawn or has expired. */
  async current(task: Task): Promise<Task | undefined> {
    return await this.store.find(task, task.id, this.clock.now());
  }
}

function conflict(request: OutgoingMessage): InvalidParamsError {
  return new InvalidParamsError([
    { field: request.retryKeyField, description: 'was used before for another message' },
  ]);
}
