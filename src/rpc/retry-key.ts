import { InvalidParamsError } from '../a2a/index.js';
import type { CallContext } from './a2a-call.js';
import { IDENTIFIER_RULE, isIdentifier } from './param-rules.js';

/** What tells a repeated message from a new one, and what its sender calls it. */
export interface RetryKey {
  retryKey: string;
  retryKeyField: string;
}

/**
 * The `Idempotency-Key` header, else the message's id (requirement S5).
 * @throws InvalidParamsError for a header that is no identifier (requirement W7)
 */
export function retryKeyOf(
  { idempotencyKey }: Pick<CallContext, 'idempotencyKey'>,
  messageId: string,
): RetryKey {
  if (idempotencyKey === undefined) return { retryKey: messageId, retryKeyField: 'message.messageId' };
  if (!isIdentifier(idempotencyKey)) {
    throw new InvalidParamsError([{ field: 'Idempotency-Key', description: IDENTIFIER_RULE }]);
  }
  return { retryKey: idempotencyKey, retryKeyField: 'Idempotency-Key' };
}
