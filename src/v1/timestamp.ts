import { ParamRule } from '../rpc/index.js';

/** An RFC 3339 timestamp that names a real instant, with any offset and fraction (requirement W6). */
export function IsTimestamp(): PropertyDecorator {
  return ParamRule({
    name: 'isTimestamp',
    validate: (value) => parseTimestamp(value) !== undefined,
    message: 'must be an RFC 3339 timestamp',
  });
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
