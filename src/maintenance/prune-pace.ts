/** Tasks a batch, at first and at most. */
const LARGEST_BATCH = 100;
const SMALLEST_BATCH = 10;
/** A batch that takes longer than this makes others wait for it, and the next one is smaller. */
const LONGEST_BATCH_MS = 10;
const SHORTEST_PAUSE_MS = 5;
/** A pause is so many times as long as the batch before it, so that most of the time belongs to requests. */
const PAUSE_FACTOR = 3;

/**
 * How fast expired tasks are deleted (requirement K2): batches that are over quickly, with pauses that grow with them, since the
 * same batch takes longer on a slow disk or a busy machine, which is where requests need the time most.
 */
export class PrunePace {
  #batch = LARGEST_BATCH;
  #startedAtMs: number;

  /** @param now a clock in milliseconds that never goes backwards */
  constructor(private readonly now: () => number) {
    this.#startedAtMs = now();
  }

  /** @returns how many tasks the batch that begins now may have */
  begin(): number {
    this.#startedAtMs = this.now();
    return this.#batch;
  }

  /** To be called when a batch is done. @returns how long to pause, in milliseconds */
  end(): number {
    const tookMs = this.now() - this.#startedAtMs;
    if (tookMs > LONGEST_BATCH_MS) this.#batch = Math.max(SMALLEST_BATCH, Math.floor(this.#batch / 2));
    else if (tookMs < LONGEST_BATCH_MS / 2) this.#batch = Math.min(LARGEST_BATCH, this.#batch * 2);
    return Math.max(SHORTEST_PAUSE_MS, tookMs * PAUSE_FACTOR);
  }
}
