/** How many messages were started, for those who wait for a number of them. */
export class Progress {
  private count = 0;
  private finished = false;
  private readonly waiting: { count: number; go: () => void }[] = [];

  advance(): void {
    this.count += 1;
    this.wake();
  }

  /** No more will come: whoever waits need not any longer. */
  finish(): void {
    this.finished = true;
    this.wake();
  }

  /** Resolves when so many were started, or none will be any more. */
  async reached(count: number): Promise<void> {
    if (this.isReached(count)) return;
    await new Promise<void>((go) => this.waiting.push({ count, go }));
  }

  private wake(): void {
    for (const each of this.waiting.filter(({ count }) => this.isReached(count))) {
      this.waiting.splice(this.waiting.indexOf(each), 1);
      each.go();
    }
  }

  private isReached(count: number): boolean {
    return this.finished || this.count >= count;
  }
}
