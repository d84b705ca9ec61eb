import { Injectable, Logger } from '@nestjs/common';
import { TooManyRequestsFailure, UnavailableFailure } from '../common/index.js';
import { MessageQuota, type MessageLimit } from './message-quota.js';
import { TaskSettings } from './task-settings.js';

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;

/** On what terms messages are taken: how many, and how long their tasks are kept. */
@Injectable()
export class MessageTerms {
  private readonly logger = new Logger('Tasks');

  constructor(
    private readonly settings: TaskSettings,
    private readonly quota: MessageQuota,
  ) {}

  /** How long a task is kept after its creation (requirement K2); milliseconds. */
  get retentionMs(): number {
    return this.settings.retentionMs;
  }

  /**
   * How many messages the account may send now (requirement S9).
   * @throws UnavailableFailure when the quota's answer is no limit
   */
  async limitOf(accountId: string): Promise<MessageLimit> {
    const answer = await this.quota.limitOf(accountId);
    if (isLimit(answer)) return answer;
    this.logger.error(
      `${this.quota.constructor.name}.limitOf answered no limit; { limit, windowMs } are whole numbers, and windowMs is more than 0`,
    );
    throw new UnavailableFailure('How many messages may be sent is not known at the moment');
  }
}

/** What is no limit must not pass as none: numbers of other kinds compare as if there was always room. */
function isLimit(answer: Partial<MessageLimit> | null | undefined): boolean {
  const { limit, windowMs } = answer ?? {};
  return Number.isInteger(limit) && Number(limit) >= 0 && Number.isInteger(windowMs) && Number(windowMs) > 0;
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
