/** What beats: a link that looks whether its other side is alive. */
export interface Beating {
  beat(): void;
}

/** More parts would only be more wake-ups; fewer would make more links beat at the same moment. */
const MOST_PARTS = 20;
/** Shorter ticks come late on a busy machine, each of them, so that a round would take longer than a heartbeat. */
const SHORTEST_TICK_MS = 500;

/**
 * The heartbeats of all links from one timer, since a timer for each would be a good part of what an idle link costs. A heartbeat
 * has several parts, and a link beats in the part in which it came: once a heartbeat, and not all links at once.
 */
export class Heartbeats {
  readonly #parts: Set<Beating>[];
  readonly #tickMs: number;
  #now = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param heartbeatMs how often each link beats */
  constructor(heartbeatMs: number) {
    const count = Math.max(1, Math.min(MOST_PARTS, Math.floor(heartbeatMs / SHORTEST_TICK_MS)));
    this.#parts = Array.from({ length: count }, () => new Set());
    this.#tickMs = heartbeatMs / count;
  }

  /**
   * Beats for the first time within a heartbeat, and from then on once in each.
   * @returns those with which it beats; to be taken out of there at its end
   */
  add(link: Beating): Set<Beating> {
    const part = this.#parts[this.#now] as Set<Beating>;
    part.add(link);
    if (!this.#timer) {
      this.#timer = setInterval(() => this.#tick(), this.#tickMs);
      this.#timer.unref();
    }
    return part;
  }

  #tick(): void {
    if (this.#parts.every((links) => links.size === 0)) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    this.#now = (this.#now + 1) % this.#parts.length;
    const links = this.#parts[this.#now] as Set<Beating>;
    // After a stall of this process, what the other sides sent waits in the kernel: read first, then judge.
    if (links.size > 0) setImmediate(() => links.forEach((link) => link.beat()));
  }
}
