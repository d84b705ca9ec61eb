/** Where work comes from. */
export interface WorkSource {
  /** Called when a piece of work has to wait. */
  pause(): void;
  /** Called when none waits any more. */
  resume(): void;
}

/** Runs at most `limit` pieces of work at once; the rest wait in the order in which they came. */
export class WorkGate {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly limit: number,
    private readonly source: WorkSource,
  ) {}

  /** Work that runs or waits. */
  get size(): number {
    return this.running + this.waiting.length;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.limit) {
      const turn = new Promise<void>((resolve) => this.waiting.push(resolve));
      if (this.waiting.length === 1) this.source.pause();
      await turn;
    } else {
      this.running += 1;
    }
    try {
      return await work();
    } finally {
      this.passOn();
    }
  }

  /** The place goes straight to who waits longest, so that nobody who comes now can take it first. */
  private passOn(): void {
    const next = this.waiting.shift();
    if (!next) {
      this.running -= 1;
      return;
    }
    next();
    if (this.waiting.length === 0) this.source.resume();
  }
}
