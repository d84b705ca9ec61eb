import { NotSentError } from '../relay-protocol/index.js';

/** Calls that may wait for a place on the link; past that a computer is as good as full. */
const LONGEST_LINE = 1_000;

interface Waiting {
  enter: () => void;
  refuse: (error: NotSentError) => void;
  timer: NodeJS.Timeout;
}

/**
 * Keeps the number of unanswered requests on one link bounded without refusing a burst: calls past the bound wait for
 * a place, first come, first served. Nothing of a waiting call has been written yet, so that giving up is certain.
 */
export class CallLine {
  /** Made when the first call has to wait: most links never have one. */
  private waiting: Set<Waiting> | undefined;
  private inFlight = 0;
  private closed = false;

  constructor(private readonly places: number) {}

  /**
   * Runs a call once there is a place for it.
   * @param patienceMs how long it may wait for that
   * @throws NotSentError when there was no place in time, the line is too long, or the link has ended
   */
  async run<T>(patienceMs: number, call: (waitedMs: number) => Promise<T>): Promise<T> {
    const waitedMs = this.inFlight < this.places && !this.closed ? this.take() : await this.queue(patienceMs);
    try {
      return await call(waitedMs);
    } finally {
      this.leave();
    }
  }

  /** Refuses everybody who waits, and all who come. */
  close(): void {
    this.closed = true;
    for (const waiting of [...(this.waiting ?? [])]) this.turnAway(waiting, 'the link is closed');
  }

  private take(): number {
    this.inFlight += 1;
    return 0;
  }

  private queue(patienceMs: number): Promise<number> {
    const since = performance.now();
    return new Promise((resolve, reject) => {
      if (this.closed) return reject(new NotSentError('the link is closed'));
      this.waiting ??= new Set();
      if (this.waiting.size >= LONGEST_LINE)
        return reject(new NotSentError('too many calls wait for the daemon'));
      const waiting: Waiting = {
        enter: () => resolve(performance.now() - since),
        refuse: reject,
        timer: setTimeout(
          () => this.turnAway(waiting, 'the daemon leaves too many requests unanswered'),
          patienceMs,
        ),
      };
      this.waiting.add(waiting);
    });
  }

  private turnAway(waiting: Waiting, reason: string): void {
    clearTimeout(waiting.timer);
    this.waiting?.delete(waiting);
    waiting.refuse(new NotSentError(reason));
  }

  /** Hands the place on to whoever has waited longest. */
  private leave(): void {
    const [next] = this.waiting ?? [];
    if (!next) {
      this.inFlight -= 1;
      return;
    }
    clearTimeout(next.timer);
    this.waiting?.delete(next);
    next.enter();
  }
}
