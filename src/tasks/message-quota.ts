import { Injectable } from '@nestjs/common';
import { TaskSettings } from './task-settings.js';

const HOUR_MS = 60 * 60 * 1000;

/** So many messages within so much time, counted back from now. */
export interface MessageLimit {
  /** Whole; 0 is none at all. */
  limit: number;
  /** Whole milliseconds, at most the retention: what has been deleted is not counted. */
  windowMs: number;
}

/**
 * Decides how many new messages an account may send (requirement S9); counting is the store's, exactly and over all
 * destinations. The rules, for any implementation; `MESSAGE_QUOTA_RULES` of `hello-api/testing` proves them:
 *
 * - Every account has a limit, one that nobody has heard of as well.
 * - Asking changes nothing: however often it is asked, the answer is the same until somebody decides otherwise.
 * - It is asked before every new message and every answer to a question, and each of them waits for it.
 * - What is no limit (a number that is not whole, or below 0) refuses the message with 503, and the log names the class.
 * - A rejected promise refuses the message: a `HttpFailure` as that status, anything else as an internal error.
 */
export abstract class MessageQuota {
  /** @param accountId the caller, verified */
  abstract limitOf(accountId: string): Promise<MessageLimit>;
}

/** One limit for everybody, by the hour (`A2A_MESSAGES_PER_HOUR`). */
@Injectable()
export class SettingMessageQuota extends MessageQuota {
  constructor(private readonly settings: TaskSettings) {
    super();
  }

  override async limitOf(_accountId: string): Promise<MessageLimit> {
    return { limit: this.settings.messagesPerHour, windowMs: HOUR_MS };
  }
}
