import {
  ContentTypeNotSupportedError,
  InvalidParamsError,
  PushNotificationNotSupportedError,
} from './errors.js';
import type { TextPart } from './message.js';

/** Most text in one message, in code points (requirement S4). */
export const MAX_TEXT_CODE_POINTS = 8_000;

const SURROGATE_BITS = 0xfc00;
const HIGH = 0xd800;
const LOW = 0xdc00;

/** @throws InvalidParamsError when a message's parts have no text at all, or too much together (requirement S4) */
export function requireText(parts: readonly TextPart[]): void {
  const length = parts.reduce((sum, { text }) => sum + codePoints(text), 0);
  if (length > MAX_TEXT_CODE_POINTS) {
    throw partsError(`must have at most ${MAX_TEXT_CODE_POINTS} characters of text together`);
  }
  if (parts.every(({ text }) => text.trim() === '')) throw partsError('must not be blank');
}

/** Whether a media type is that of plain text, in any spelling and with any parameters. */
export function isPlainText(mediaType: string): boolean {
  return mediaTypeOf(mediaType) === 'text/plain';
}

/** @throws ContentTypeNotSupportedError when the caller takes something, and plain text is not among it (requirement S4) */
export function requirePlainTextAccepted(modes: readonly string[] = []): void {
  if (modes.length === 0) return;
  if (modes.some((mode) => ['text/plain', 'text/*', '*/*'].includes(mediaTypeOf(mode)))) return;
  throw new ContentTypeNotSupportedError('Replies are text/plain, which acceptedOutputModes excludes');
}

/**
 * Clients that always serialize members send an empty configuration, which asks for nothing (B125).
 * @throws PushNotificationNotSupportedError for one with any value (requirement S7)
 */
export function refusePushConfiguration(configuration: Record<string, unknown> = {}): void {
  if (Object.values(configuration).some((value) => value !== null && value !== '')) {
    throw new PushNotificationNotSupportedError();
  }
}

/** A media type without its parameters. */
function mediaTypeOf(text: string): string {
  return (text.split(';')[0] ?? '').trim().toLowerCase();
}

function partsError(description: string): InvalidParamsError {
  return new InvalidParamsError([{ field: 'message.parts', description }]);
}

/** A pair of surrogates is one; counted without a list of them. */
function codePoints(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at += 1) {
    if (isSurrogate(text, at, HIGH) && isSurrogate(text, at + 1, LOW)) {
      count -= 1;
      at += 1;
    }
  }
  return count;
}

function isSurrogate(text: string, at: number, kind: number): boolean {
  return (text.charCodeAt(at) & SURROGATE_BITS) === kind;
}
