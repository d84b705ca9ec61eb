/** Version, trace, span, flags; later versions may add more after another dash (W3C Trace Context, section 3.2). */
const FORM = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
const FIRST_VERSION = /^00-.{52}$/;
const LONGEST = 200;

/**
 * Reads a `traceparent` header.
 * @returns the trace context in the form of version 00, or `undefined` for what is none: it is then ignored, as the
 *   specification asks for
 */
export function readTraceparent(header: unknown): string | undefined {
  if (typeof header !== 'string' || header.length > LONGEST) return undefined;
  if (header.startsWith('00') && !FIRST_VERSION.test(header)) return undefined;
  const [, traceId, spanId, flags] = FORM.exec(header) ?? [];
  return traceId && spanId && flags ? `00-${traceId}-${spanId}-${flags}` : undefined;
}

/** @param traceparent one that `readTraceparent` gave */
export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}
