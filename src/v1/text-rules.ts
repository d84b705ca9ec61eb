import {
  ContentTypeNotSupportedError,
  InvalidParamsError,
  PushNotificationNotSupportedError,
  UnsupportedOperationError,
  type Message,
} from '../a2a/index.js';
import type { MessageDto, PartDto } from './message.dto.js';
import type { ConfigurationDto, SendMessageParams, TenantParams } from './params.dto.js';

/** Most text in one message, in code points (requirement S4). */
export const MAX_TEXT_CODE_POINTS = 8_000;

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
  if (isFilled(configuration?.taskPushNotificationConfig)) throw new PushNotificationNotSupportedError();
  if (!message.parts.every(isPlainText)) {
    throw new ContentTypeNotSupportedError('Only text parts of type text/plain are supported');
  }
  if (!acceptsPlainText(configuration)) {
    throw new ContentTypeNotSupportedError('Replies are text/plain, which acceptedOutputModes excludes');
  }
}

/**
 * The message as the core stores it.
 * @throws InvalidParamsError when there is no text at all, or too much
 */
export function toMessage(dto: MessageDto): Message {
  const texts = dto.parts.map((part) => part.text ?? '');
  const length = texts.reduce((sum, text) => sum + codePoints(text), 0);
  if (length > MAX_TEXT_CODE_POINTS) {
    throw new InvalidParamsError([
      {
        field: 'message.parts',
        description: `must have at most ${MAX_TEXT_CODE_POINTS} characters of text together`,
      },
    ]);
  }
  if (texts.every((text) => text.trim() === '')) {
    throw new InvalidParamsError([{ field: 'message.parts', description: 'must not be blank' }]);
  }
  const { messageId, metadata } = dto;
  return { messageId, role: 'user', parts: dto.parts.map(toPart), ...(metadata ? { metadata } : {}) };
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

function isPlainText(part: PartDto): boolean {
  const otherContent = [part.raw, part.url, part.data].some((value) => value !== undefined && value !== '');
  return !otherContent && (part.mediaType === undefined || mediaTypeOf(part.mediaType) === 'text/plain');
}

function acceptsPlainText(configuration: ConfigurationDto | undefined): boolean {
  const modes = configuration?.acceptedOutputModes ?? [];
  return (
    modes.length === 0 || modes.some((mode) => ['text/plain', 'text/*', '*/*'].includes(mediaTypeOf(mode)))
  );
}

/** A media type without its parameters. */
function mediaTypeOf(text: string): string {
  return (text.split(';')[0] ?? '').trim().toLowerCase();
}

/** Clients that always serialise members send an empty configuration, which asks for nothing. */
function isFilled(struct: Record<string, unknown> | undefined): boolean {
  return Object.values(struct ?? {}).some((value) => value !== null && value !== '');
}

function codePoints(text: string): number {
  return [...text].length;
}
