export type StopReason = 'canceled' | 'timeout' | 'shutdown';

/** A job at work in this process: can be told to stop, and tells when its end is on disk. */
export class ActiveRun {
  private readonly controller = new AbortController();
  private markSettled: () => void = () => undefined;
  private reason: StopReason | undefined;
  readonly settled = new Promise<void>((resolve) => (this.markSettled = resolve));

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get stopReason(): StopReason | undefined {
    return this.reason;
  }

  /** Asks the job to stop; the first reason stands. */
  stop(reason: StopReason): void {
    if (this.reason !== undefined) return;
    this.reason = reason;
    this.controller.abort();
  }

  settle(): void {
    this.markSettled();
  }
}
