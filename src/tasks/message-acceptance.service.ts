import { Injectable } from '@nestjs/common';
import {
  InvalidParamsError,
  TaskNotFoundError,
  UnsupportedOperationError,
  isTerminal,
  type Message,
} from '../a2a/index.js';
import { type CallOrigin, Clock, IdGenerator, StorageUnavailableError } from '../common/index.js';
import { fingerprintOf } from './fingerprint.js';
import { MessageTerms, tooManyMessages } from './message-terms.js';
import type { MessageLimit } from './message-quota.js';
import { TaskStore, type AcceptOutcome } from './task-store.js';
import type { Destination, Task, TaskDraft, TaskScope } from './task.js';

/** A message with the key that tells its copies. */
export interface KeyedMessage {
  scope: TaskScope;
  message: Message;
  /** Absent: a new conversation, or that of the task. */
  contextId?: string | undefined;
  /** The task whose question the message answers; absent for a new task. */
  taskId?: string;
  /** `Idempotency-Key`, else the messageId (requirement S5). */
  retryKey: string;
  /** What the caller calls the key; named when it was used for another message. */
  retryKeyField: string;
  /** The call that the message came with. */
  origin?: CallOrigin;
}

/** A message on its way to an assistant, for a task of its own. */
export interface OutgoingMessage extends KeyedMessage {
  destination: Destination;
  /** Whether somebody can answer a question of the job (requirement P6). */
  interactive: boolean;
}

/** Decides whether a message becomes a task, and writes it down (requirements S1, S5, S6, S9). */
@Injectable()
export class MessageAcceptance {
  constructor(
    private readonly store: TaskStore,
    private readonly terms: MessageTerms,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
  ) {}

  /**
   * The task that an earlier copy of the message made or continued, if there is one.
   * @throws InvalidParamsError when the key was used for another message
   */
  async known(request: KeyedMessage): Promise<Task | undefined> {
    const found = await this.store.findByRetryKey(request.scope, request.retryKey, this.clock.now());
    if (!found) return undefined;
    if (found.fingerprint !== fingerprintOf(request.message, request.contextId, request.taskId)) {
      throw conflict(request);
    }
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
   * @throws StorageUnavailableError when nothing can be written and the message is no copy
   */
  async accept(draft: TaskDraft, request: OutgoingMessage): Promise<{ task: Task; isNew: boolean }> {
    const nowMs = this.clock.now();
    const limit = await this.terms.limitOf(draft.scope.accountId);
    const times = { nowMs, expiresAtMs: nowMs + this.terms.retentionMs, limit };
    const outcome = await this.#acceptOrFind(draft, request, times);
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
        throw tooManyMessages(limit, outcome);
    }
  }

  /** A copy needs nothing to be written, so that it is answered while nothing can be. */
  async #acceptOrFind(
    draft: TaskDraft,
    request: OutgoingMessage,
    { limit, ...times }: { nowMs: number; expiresAtMs: number; limit: MessageLimit },
  ): Promise<AcceptOutcome> {
    try {
      return await this.store.accept(draft, limit, times);
    } catch (error) {
      const known = error instanceof StorageUnavailableError ? await this.known(request) : undefined;
      if (!known) throw error;
      return { kind: 'repeated', task: known };
    }
  }

  /**
   * Takes the answer to a task's question (requirement P6).
   * @returns the task, and whether it is this call that answered it
   * @throws TaskNotFoundError, UnsupportedOperationError when the task does not ask
   * @throws InvalidParamsError, TooManyRequestsFailure as `accept` does
   */
  async acceptAnswer(request: KeyedMessage & { taskId: string }): Promise<{ task: Task; isNew: boolean }> {
    const { scope, taskId, retryKey, message, contextId } = request;
    const draft = {
      scope,
      taskId,
      retryKey,
      message,
      fingerprint: fingerprintOf(message, contextId, taskId),
    };
    const limit = await this.terms.limitOf(scope.accountId);
    const outcome = await this.store.acceptAnswer(draft, limit, this.clock.now());
    switch (outcome.kind) {
      case 'accepted':
        return { task: outcome.task, isNew: true };
      case 'repeated':
        return { task: outcome.task, isNew: false };
      case 'conflict':
        throw conflict(request);
      case 'not_found':
        throw new TaskNotFoundError();
      case 'not_waiting':
        throw notAsking(outcome.task);
      case 'message_id_used':
        throw new InvalidParamsError([
          { field: 'message.messageId', description: 'was used before in this task' },
        ]);
      case 'quota_exceeded':
        throw tooManyMessages(limit, outcome);
    }
  }

  /** The task as it is now; absent when it was withdrawn or has expired. */
  async current(task: TaskScope & Pick<Task, 'id'>): Promise<Task | undefined> {
    return await this.store.find(task, task.id, this.clock.now());
  }
}

/** @returns what to say of a message to a task that does not ask for one */
export function notAsking({ state }: Pick<Task, 'state'>): UnsupportedOperationError {
  return new UnsupportedOperationError(
    isTerminal(state)
      ? 'The task is over; send a new message in its context instead'
      : 'The task does not wait for an answer',
  );
}

function conflict(request: KeyedMessage): InvalidParamsError {
  return new InvalidParamsError([
    { field: request.retryKeyField, description: 'was used before for another message' },
  ]);
}
