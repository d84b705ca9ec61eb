/**
 * How often values fell where: what a histogram needs and no more. Observing allocates nothing and knows no label, so
 * that a module may count on its busiest path; whoever serves metrics reads it when asked.
 */
export class Distribution {
  private readonly counts: number[];
  private total = 0;

  /** @param bounds inclusive upper bounds, ascending; what is above the last one counts as well */
  constructor(readonly bounds: readonly number[]) {
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    const { bounds } = this;
    let place = 0;
    while (place < bounds.length && value > (bounds[place] as number)) place += 1;
    this.counts[place] = (this.counts[place] as number) + 1;
    this.total += value;
  }

  /** How many values were observed. */
  get count(): number {
    return this.counts.reduce((sum, count) => sum + count, 0);
  }

  /** The sum of all values. */
  get sum(): number {
    return this.total;
  }

  /** For each bound, how many values were at most that. */
  cumulative(): number[] {
    let sum = 0;
    return this.bounds.map((_, place) => (sum += this.counts[place] as number));
  }
}

/** Bounds in seconds for what ends within milliseconds, such as a commit or an answer of a daemon. */
export const SHORT_SECONDS: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** Bounds in seconds for what may wait for a person or a model. */
export const LONG_SECONDS: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 10, 30, 60, 120,
];
