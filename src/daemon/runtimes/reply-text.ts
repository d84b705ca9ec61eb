import { MAX_REPLY_CODE_POINTS } from '../../relay-protocol/index.js';

/** Most UTF-16 units that an explanation may have on the link. */
const MAX_STATUS_UNITS = 4000;

/** The longest beginning of a text with at most `limit` code points; never half a character. */
export function cutToCodePoints(text: string, limit: number): { text: string; points: number; cut: boolean } {
  let points = 0;
  let end = 0;
  while (end < text.length && points < limit) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
    points += 1;
  }
  return { text: text.slice(0, end), points, cut: end < text.length };
}

/** An explanation or question in the size that the link takes. */
export function cutStatusText(text: string): string {
  if (text.length <= MAX_STATUS_UNITS) return text;
  const last = text.charCodeAt(MAX_STATUS_UNITS - 2);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, MAX_STATUS_UNITS - (splitsPair ? 2 : 1)) + '…';
}

/** Gathers a reply piece by piece, up to the limit; what is past it is dropped and costs no memory. */
export class ReplyText {
  private pieces: string[] = [];
  private points = 0;
  private full = false;

  constructor(
    private readonly emit: (text: string) => void = () => undefined,
    private readonly limit = MAX_REPLY_CODE_POINTS,
  ) {}

  get truncated(): boolean {
    return this.full;
  }

  push(text: string): void {
    if (this.full || text === '') return;
    const { text: fitting, points, cut } = cutToCodePoints(text, this.limit - this.points);
    this.points += points;
    this.full = cut;
    if (fitting === '') return;
    this.pieces.push(fitting);
    this.emit(fitting);
  }

  toString(): string {
    if (this.pieces.length > 1) this.pieces = [this.pieces.join('')];
    return this.pieces[0] ?? '';
  }
}
