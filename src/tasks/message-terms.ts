import { Injectable } from '@nestjs/common';
import { TooManyRequestsFailure } from '../common/index.js';
import { MessageQuota, type MessageLimit } from './message-quota.js';
import { TaskSettings } from './task-settings.js';

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;

/** On what terms messages are taken: how many, and how long their tasks are kept. */
@Injectable()
export class MessageTerms {
  constructor(
    private readonly settings: TaskSettings,
    private readonly quota: MessageQuota,
  ) {}

  /** How long a task is kept after its creation (requirement K2); milliseconds. */
  get retentionMs(): number {
    return this.settings.retentionMs;
  }

  /** How many messages the account may send now (requirement S9). */
  limitOf(accountId: string): Promise<MessageLimit> {
    return this.quota.limitOf(accountId);
  }
}

/** @returns the 429 for an account that has used its allowance up */
export function tooManyMessages(
  { limit, windowMs }: MessageLimit,
  { retryAfterMs }: { retryAfterMs: number },
): TooManyRequestsFailure {
  const minutes = windowMs / MINUTE_MS;
  const window = minutes === HOUR_MINUTES ? 'an hour' : `in ${minutes} minutes`;
  return new TooManyRequestsFailure(
    `At most ${limit} new messages ${window} may be sent`,
    Math.ceil(retryAfterMs / 1000),
  );
}
