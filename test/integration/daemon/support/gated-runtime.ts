import type { Runtime } from '../../../../src/daemon/index.js';

/** Runs until a test lets it go, and shows how many ran at once. */
export class GatedRuntime implements Runtime {
  running = 0;
  most = 0;
  readonly started: string[] = [];
  private readonly gates: (() => void)[] = [];
  private permits = 0;
  onStart: () => void = () => undefined;

  async run(job: { text: string }, host: { signal: AbortSignal }) {
    this.running += 1;
    this.most = Math.max(this.most, this.running);
    this.started.push(job.text);
    this.onStart();
    await new Promise<void>((resolve) => {
      if (this.permits > 0) {
        this.permits -= 1;
        resolve();
        return;
      }
      this.gates.push(resolve);
      host.signal.addEventListener('abort', () => resolve());
    });
    this.running -= 1;
    return { state: 'succeeded' as const, reply: `did ${job.text}` };
  }

  open(): void {
    const gate = this.gates.shift();
    if (gate) gate();
    else this.permits += 1;
  }
}
