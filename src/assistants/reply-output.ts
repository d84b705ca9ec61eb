/** Twice the code points of the longest reply (requirement S10), which take at most two units each. */
const MAX_UNITS = 200_000;

/** Puts the parts of a reply together and shows each as it is made, leaving out what earlier runs have shown. */
export class ReplyOutput {
  private made = 0;
  private kept = '';

  /** @param shown how many characters earlier runs of the job have shown */
  constructor(
    private readonly emit: (text: string) => void,
    private readonly shown: number,
  ) {}

  /** The reply so far, bounded. */
  get text(): string {
    return this.kept;
  }

  /** Whether anything did not fit; it is dropped, so that an endless reply does not fill the memory. */
  get truncated(): boolean {
    return this.made > this.kept.length;
  }

  /** How many characters this run and those before it have shown. */
  get shownInAll(): number {
    return Math.max(this.shown, this.made);
  }

  /** @throws TypeError for what is no text */
  add(part: unknown): void {
    if (typeof part !== 'string') throw new TypeError('a part of a reply must be text');
    const isNew = part.slice(Math.max(0, this.shown - this.made));
    this.made += part.length;
    this.kept += part.slice(0, MAX_UNITS - this.kept.length);
    if (isNew !== '' && !this.truncated) this.emit(isNew);
  }
}
