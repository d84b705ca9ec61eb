const BURST = 5_000;
const PER_SECOND = 1_000;
const BYTES_PER_TOKEN = 16_384;

/**
 * How much one daemon may say (close code 4429): a token bucket. A frame costs one token, and one more for
 * every 16 KiB, since reading a frame costs what its size is. Frames that the protocol asks for, such as
 * answers and updates that respect acknowledgements, are paid back, so that only chatter is ever limited.
 */
export class FrameBudget {
  private tokens = BURST;
  private filledAtMs: number;

  /** @param now a clock in milliseconds that never goes backwards */
  constructor(private readonly now: () => number = monotonicMs) {
    this.filledAtMs = now();
  }

  /** @returns what the frame cost, or `undefined` when the budget is spent */
  spend(length: number): number | undefined {
    const nowMs = this.now();
    this.tokens = Math.min(BURST, this.tokens + ((nowMs - this.filledAtMs) * PER_SECOND) / 1000);
    this.filledAtMs = nowMs;
    const cost = 1 + Math.floor(length / BYTES_PER_TOKEN);
    if (cost > this.tokens) return undefined;
    this.tokens -= cost;
    return cost;
  }

  payBack(cost: number): void {
    this.tokens = Math.min(BURST, this.tokens + cost);
  }
}

function monotonicMs(): number {
  return performance.now();
}
