import { z } from 'zod';

/** One environment variable: how its text becomes a value, and what to tell whoever set it wrong. */
export interface Setting<T> {
  /** Text that stands when the variable is absent or empty; `undefined` for a setting without a default. */
  readonly fallback: string | undefined;
  /** Completes "NAME must be …". Never contains the value that was sent in. */
  readonly allowed: string;
  readonly schema: z.ZodType<T, string>;
}

/** A setting that need not be set: its value is `undefined` then. */
export type OptionalSetting<T> = Setting<T> & { readonly fallback: undefined };
export type DefaultedSetting<T> = Setting<T> & { readonly fallback: string };

export function wholeNumber(fallback: number, min: number, max: number): DefaultedSetting<number> {
  return {
    fallback: String(fallback),
    allowed: `a whole number from ${min} to ${max}`,
    schema: z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number)
      .pipe(z.number().min(min).max(max)),
  };
}

/** `true` or `false` and nothing that merely looks like it, so that "False" or "0" cannot switch something on. */
export function flag(fallback: boolean): DefaultedSetting<boolean> {
  return {
    fallback: String(fallback),
    allowed: 'true or false',
    schema: z.enum(['true', 'false']).transform((text) => text === 'true'),
  };
}

export function oneOf(fallback: string, options: readonly string[]): DefaultedSetting<string> {
  return { fallback, allowed: `one of ${options.join(', ')}`, schema: z.enum(options) };
}

export function text(allowed: string, pattern = /\S/): OptionalSetting<string> {
  return { fallback: undefined, allowed, schema: z.string().regex(pattern) };
}

export function textOr(fallback: string, allowed: string, pattern = /\S/): DefaultedSetting<string> {
  return { ...text(allowed, pattern), fallback };
}

export function secret(minBytes: number): OptionalSetting<string> {
  return {
    fallback: undefined,
    allowed: `at least ${minBytes} bytes long`,
    schema: z.string().refine((value) => Buffer.byteLength(value, 'utf8') >= minBytes),
  };
}

/** An absolute http(s) URL without credentials and fragment; any other part may be forbidden as well. */
export function httpUrl(options: { query: boolean }): OptionalSetting<string> {
  const without = options.query ? 'credentials or fragment' : 'credentials, query or fragment';
  return {
    fallback: undefined,
    allowed: `an absolute http:// or https:// URL without ${without}`,
    schema: z.string().refine((value) => isHttpUrl(value, options.query)),
  };
}

function isHttpUrl(value: string, queryAllowed: boolean): boolean {
  // The URL parser forgives blanks, back slashes and empty credentials; a setting that needs that is a mistake.
  if (!/^https?:\/\/[^\s\\/?#@]+([/?][^\s\\#]*)?$/i.test(value)) return false;
  return URL.canParse(value) && (queryAllowed || !value.includes('?'));
}

/** `*`, or origins (scheme, host, port) separated by commas. Absent: no origin. */
export function originList(): Setting<string[]> & { fallback: undefined } {
  return {
    fallback: undefined,
    allowed: '* or a comma-separated list of origins like https://example.com, without a path',
    schema: z
      .string()
      .transform((value) => value.split(',').map((origin) => origin.trim()))
      .refine((origins) => (origins.length === 1 && origins[0] === '*') || origins.every(isOrigin)),
  };
}

function isOrigin(value: string): boolean {
  return /^https?:\/\//.test(value) && URL.canParse(value) && new URL(value).origin === value;
}
