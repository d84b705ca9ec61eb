import {
  ContentTypeNotSupportedError,
  refusePushConfiguration,
  requirePlainTextAccepted,
  requireText,
  type Message,
} from '../a2a/index.js';
import type { Agent } from '../directory/index.js';
import { retryKeyOf, type A2ACall } from '../rpc/index.js';
import { destinationOf, originOf, scopeOf, type ContinueRequest, type SendRequest } from '../tasks/index.js';
import type { MessageDto } from './message.dto.js';
import type { SendParams } from './params.dto.js';

/** A call of the 0.3 endpoint: its destination is the published agent that the address named. */
export type V03Call = A2ACall<Agent>;

type Waiting = 'returnImmediately' | 'waitBudgetMs' | 'onAccepted';

/** What a message asks the core for: a new task, or that a task which asked goes on (requirement P6). */
export type MessageRequest =
  | { kind: 'new'; request: Omit<SendRequest, Waiting> }
  | { kind: 'answer'; request: Omit<ContinueRequest, Waiting> };

/**
 * Refuses what the protocol has and this product does not, and makes the core's request of the rest. The parameters' form has been
 * checked already. `extensions` and `referenceTaskIds` are hints that a server may ignore (§6.4), and are ignored.
 * @throws A2AError, InvalidParamsError as at 1.0 (requirements S4, S7, P7)
 */
export function messageRequestOf({ message, configuration }: SendParams, call: V03Call): MessageRequest {
  refusePushConfiguration(configuration?.pushNotificationConfig);
  requirePlainTextAccepted(configuration?.acceptedOutputModes);
  const shared = {
    scope: scopeOf(call),
    message: toMessage(message),
    contextId: message.contextId,
    ...retryKeyOf(call, message.messageId),
    signal: call.signal,
    origin: originOf(call),
  };
  return message.taskId === undefined
    ? { kind: 'new', request: { ...shared, destination: destinationOf(call), interactive: true } }
    : { kind: 'answer', request: { ...shared, taskId: message.taskId } };
}

/** The message as the core stores it. */
function toMessage({ messageId, parts: sent, metadata }: MessageDto): Message {
  if (sent.some(({ kind }) => kind !== 'text')) {
    throw new ContentTypeNotSupportedError('Only text parts are supported');
  }
  const parts = sent.map(({ text = '', metadata }) => ({ text, ...(metadata ? { metadata } : {}) }));
  requireText(parts);
  return { messageId, role: 'user', parts, ...(metadata ? { metadata } : {}) };
}
