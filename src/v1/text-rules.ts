import {
  ContentTypeNotSupportedError,
  isPlainText,
  refusePushConfiguration,
  requirePlainTextAccepted,
  requireText,
  UnsupportedOperationError,
  type Message,
} from '../a2a/index.js';
import type { MessageDto, PartDto } from './message.dto.js';
import type { SendMessageParams, TenantParams } from './params.dto.js';

/** @throws UnsupportedOperationError for a tenant; there are none (requirement S7) */
export function refuseTenant({ tenant }: TenantParams): void {
  if (tenant !== undefined) throw new UnsupportedOperationError('Tenants are not supported');
}

/**
 * Refuses what the protocol has and this product does not (requirements S4, S7). The parameters' form has been
 * checked already.
 */
export function refuseUnsupported(params: SendMessageParams): void {
  const { message, configuration } = params;
  refuseTenant(params);
  if (message.referenceTaskIds?.length)
    throw new UnsupportedOperationError('referenceTaskIds are not supported');
  if (message.extensions?.length) throw new UnsupportedOperationError('Message extensions are not supported');
  refusePushConfiguration(configuration?.taskPushNotificationConfig);
  if (!message.parts.every(isTextPart)) {
    throw new ContentTypeNotSupportedError('Only text parts of type text/plain are supported');
  }
  requirePlainTextAccepted(configuration?.acceptedOutputModes);
}

/**
 * The message as the core stores it.
 * @throws InvalidParamsError when there is no text at all, or too much
 */
export function toMessage({ messageId, metadata, parts: sent }: MessageDto): Message {
  const parts = sent.map(toPart);
  requireText(parts);
  return { messageId, role: 'user', parts, ...(metadata ? { metadata } : {}) };
}

function toPart(part: PartDto): Message['parts'][number] {
  const { text = '', filename, mediaType, metadata } = part;
  return {
    text,
    ...(filename === undefined ? {} : { filename }),
    ...(mediaType === undefined ? {} : { mediaType }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

function isTextPart(part: PartDto): boolean {
  const otherContent = [part.raw, part.url, part.data].some((value) => value !== undefined && value !== '');
  return !otherContent && (part.mediaType === undefined || isPlainText(part.mediaType));
}
