import { pino, type DestinationStream } from 'pino';

/** How long a line may wait for others. */
const PATIENCE_MS = 20;
/** Past this many characters nobody waits. */
const FULL = 16 * 1024;

/**
 * Collects lines and writes them together, in their order: at the latest after 20 ms, at once when there are many, when
 * pino writes a fatal one, and at the end of the process. Only what ends without a word (kill -9) loses what waits.
 */
export class LogOutput implements DestinationStream {
  private waiting = '';
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly sink: DestinationStream) {}

  write(line: string): void {
    this.waiting += line;
    if (this.waiting.length >= FULL) this.flushSync();
    else this.timer ??= setTimeout(() => this.flushSync(), PATIENCE_MS).unref();
  }

  /** Writes what waits; under the name by which pino asks for it. */
  flushSync(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const text = this.waiting;
    this.waiting = '';
    if (text !== '') this.sink.write(text);
  }
}

let standard: LogOutput | undefined;

/** Standard output. There is one of it in a process, so that lines of several loggers keep their order. */
export function standardOutput(): LogOutput {
  if (!standard) {
    // Copes with readers that are slow or have gone.
    const output = new LogOutput(pino.destination({ sync: true }));
    process.once('exit', () => output.flushSync());
    standard = output;
  }
  return standard;
}
