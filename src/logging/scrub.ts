/** Forms in which credentials may end up in a text: bearer headers, JWTs, relay tokens, API keys, link keys. */
const CREDENTIALS: [RegExp, string][] = [
  [/\bBearer\s+[^\s"\\,]+/gi, 'Bearer [hidden]'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[hidden]'],
  [/\b(rt|hi)_[\w-]{8,}/g, '$1_[hidden]'],
  [/([?&]|%3f|%26)k(=|%3d)[^&\s"\\]*/gi, '$1k$2[hidden]'],
];

/**
 * Hides credentials in a finished log line. Nothing is meant to log one (requirement H2): this is the net beneath.
 * The replacements leave JSON intact.
 */
export function scrub(line: string): string {
  return CREDENTIALS.reduce((text, [form, replacement]) => text.replace(form, replacement), line);
}
