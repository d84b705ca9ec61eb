/** Counts events by a word out of a small, fixed set. The words become a label: never an id, a name or a client's choice. */
export class Tally<Word extends string> {
  private readonly counts = new Map<Word, number>();

  /** @param words counted from zero on, so that a rate can be told from the first event */
  constructor(words: readonly Word[]) {
    for (const word of words) this.counts.set(word, 0);
  }

  add(word: Word, howMany = 1): void {
    this.counts.set(word, (this.counts.get(word) ?? 0) + howMany);
  }

  get(word: Word): number {
    return this.counts.get(word) ?? 0;
  }

  entries(): [Word, number][] {
    return [...this.counts];
  }
}
