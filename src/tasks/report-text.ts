/** Longest reply that is kept, in code points (requirement S10). */
export const MAX_REPLY_CODE_POINTS = 100_000;
/** Longest explanation or question that is kept, in code points. */
export const MAX_STATUS_CODE_POINTS = 4_000;

const LONE_SURROGATE = /\p{Surrogate}/gu;
const STACK_FRAME =
  /^(?:\s+at\s.+|at\s.+:\d+:\d+\)?$|\s*File ".*", line \d+.*|Traceback \(most recent call last\))/;
/** Absolute paths of Unix and Windows; an address such as `https://host/a/b` is none. */
const FILE_PATH = /(?<![\w:/.])\/(?:[^\s/:'"()]+\/)+[^\s:'"()]*|\b[A-Za-z]:\\[^\s'"()]+/g;

/**
 * Cuts a text between characters, never within one, and replaces halves of characters, which no client can decode.
 * @returns the text, and whether anything was cut off
 */
export function cutText(text: string, maxCodePoints: number): { text: string; cut: boolean } {
  const end = endOfCodePoints(text, maxCodePoints);
  return { text: text.slice(0, end).replace(LONE_SURROGATE, '\uFFFD'), cut: end < text.length };
}

/** Where the first `count` code points end, in code units; walks no further than needed. */
function endOfCodePoints(text: string, count: number): number {
  if (text.length <= count) return text.length;
  let index = 0;
  for (let seen = 0; seen < count && index < text.length; seen += 1) {
    index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  }
  return index;
}

/**
 * What a caller may read of why a job failed: its first lines without stack frames and paths of the owner's
 * computer, which are not the caller's business.
 */
export function publicExplanation(text: string): string {
  const lines = text.split(/\r?\n/).filter((line) => !STACK_FRAME.test(line));
  return lines.join('\n').replace(FILE_PATH, '[path]').trim();
}
