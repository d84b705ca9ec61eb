/** Hears of a promise that failed while nobody waited for it. */
export type Neglected = (promise: HandedPromise<unknown>, error: unknown) => void;

/**
 * A promise that is handed to code of others. When it fails and nobody waits for it, `neglected` hears of it: a forgotten
 * `await` must not end the whole process, as a rejection that nobody handles does.
 */
export class HandedPromise<T> extends Promise<T> {
  private waitedFor = false;
  private neglected: Neglected | undefined;

  static of<T>(work: () => T | Promise<T>, neglected: Neglected): HandedPromise<T> {
    return new HandedPromise<T>((resolve, reject) => {
      try {
        resolve(work());
      } catch (error) {
        reject(error);
      }
    }).watched(neglected);
  }

  /** Whether anybody waits for it, or did. */
  get isWaitedFor(): boolean {
    return this.waitedFor;
  }

  override then<R1 = T, R2 = never>(
    onFulfilled?: ((value: T) => R1 | PromiseLike<R1>) | null,
    onRejected?: ((reason: unknown) => R2 | PromiseLike<R2>) | null,
  ): Promise<R1 | R2> {
    this.waitedFor = true;
    // What follows is of this class as well, and may be forgotten in its turn.
    const next = super.then(onFulfilled, onRejected) as HandedPromise<R1 | R2>;
    return this.neglected ? next.watched(this.neglected) : next;
  }

  private watched(neglected: Neglected): this {
    this.neglected = neglected;
    super.then(undefined, (error: unknown) => {
      if (!this.waitedFor) neglected(this, error);
    });
    return this;
  }
}
