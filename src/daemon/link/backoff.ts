const BASE_MS = 500;
const CAP_MS = 30_000;
/** Enough that a thousand daemons of one restarted API do not come back in the same instant. */
const RESTART_SPREAD_MS = 1000;

/** Full jitter: each pause is anywhere between nothing and a bound that doubles from 0.5 s to 30 s. */
export class Backoff {
  private attempts = 0;

  constructor(private readonly random: () => number = Math.random) {}

  /** Milliseconds until the next attempt. */
  next(): number {
    const bound = Math.min(CAP_MS, BASE_MS * 2 ** Math.min(this.attempts, 16));
    this.attempts += 1;
    return Math.round(this.random() * bound);
  }

  /** Milliseconds until the attempt after a link that ended on purpose. */
  afterRestart(): number {
    return Math.round(this.random() * RESTART_SPREAD_MS);
  }

  reset(): void {
    this.attempts = 0;
  }
}
