import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';

/** Longest identifier or retry key, in characters (requirement W7). */
export const MAX_ID_LENGTH = 128;

/** A non-blank text of at most 128 characters (code points). */
export function IsIdentifier(options?: ValidationOptions): PropertyDecorator {
  return rule(
    'isIdentifier',
    isIdentifier,
    `must be a non-blank text of at most ${MAX_ID_LENGTH} characters`,
    options,
  );
}

/** A `Struct`: a JSON object with any content (requirement W8). */
export function IsStruct(): PropertyDecorator {
  return rule(
    'isStruct',
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object',
  );
}

/** An RFC 3339 timestamp that names a real instant, with any offset and fraction (requirement W6). */
export function IsTimestamp(): PropertyDecorator {
  return rule('isTimestamp', (value) => parseTimestamp(value) !== undefined, 'must be an RFC 3339 timestamp');
}

export function isIdentifier(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && [...value].length <= MAX_ID_LENGTH;
}

const TIMESTAMP = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/;

/** @returns milliseconds since the epoch, rounded up to the next whole one, or `undefined` for anything else */
export function parseTimestamp(value: unknown): number | undefined {
  const match = typeof value === 'string' ? TIMESTAMP.exec(value) : null;
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', offset = 'Z'] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  // A day that the month does not have rolls over, or makes an invalid date.
  if (Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day)) return undefined;
  const instant = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset.toUpperCase()}`);
  if (Number.isNaN(instant)) return undefined;
  return instant + Math.ceil(Number(`0${fraction}`) * 1000);
}

function rule(
  name: string,
  validate: (value: unknown) => boolean,
  message: string,
  options?: ValidationOptions,
): PropertyDecorator {
  return ValidateBy(
    { name, validator: { validate, defaultMessage: buildMessage(() => message, options) } },
    options,
  );
}
