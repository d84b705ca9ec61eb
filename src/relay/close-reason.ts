/** The WebSocket protocol allows 125 bytes in a close frame, two of which are the code. */
const MAX_REASON_BYTES = 123;

/** @returns the longest beginning of the text that fits into a close frame, cut between characters */
export function closeReason(text: string): string {
  if (Buffer.byteLength(text) <= MAX_REASON_BYTES) return text;
  let fitting = '';
  let bytes = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > MAX_REASON_BYTES) break;
    fitting += character;
  }
  return fitting;
}
