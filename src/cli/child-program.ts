import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { CliError, ExitCode } from './cli-error.js';

export interface ChildOptions {
  /** What a person calls it. */
  name: string;
  /** Arguments behind `node bin/hello.mjs`. */
  args: string[];
  env: Record<string, string>;
  cwd: string;
  logFile: string;
}

const STOP_MS = 12_000;

/** One program of the demo, in a process of its own, with its output in a file. */
export class ChildProgram {
  /** Settles with one line about how it ended. */
  readonly ended: Promise<string>;
  private readonly child: ChildProcess;
  private output = '';
  private readonly watchers = new Set<() => void>();

  constructor(
    programFile: string,
    private readonly options: ChildOptions,
  ) {
    this.child = spawn(process.execPath, [programFile, ...options.args], {
      env: options.env,
      cwd: options.cwd,
      // A group of its own: Ctrl-C reaches the demo alone, which then stops its children in order.
      detached: true,
      // The channel carries nothing; its end tells the child that the demo is gone.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const log = createWriteStream(options.logFile, { flags: 'a', mode: 0o600 });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        log.write(text);
        this.take(text);
      });
    }
    this.ended = new Promise((resolve) => {
      this.child.once('error', (error) => resolve(error.message));
      // 'close' comes after the last output, which says why it ended.
      this.child.once('close', (code, signal) => {
        log.end();
        resolve(this.lastLine() || `ended with ${String(code ?? signal)}`);
      });
    });
  }

  /**
   * Waits for a line of its output.
   * @throws CliError when the program ends first, or nothing came in time
   */
  async printed(pattern: RegExp, withinMs: number): Promise<void> {
    let watcher: (() => void) | undefined;
    let timer: NodeJS.Timeout | undefined;
    const seen = new Promise<string | undefined>((resolve) => {
      watcher = () => {
        if (pattern.test(this.output)) resolve(undefined);
      };
      this.watchers.add(watcher);
      watcher();
      timer = setTimeout(() => resolve('it did not get ready in time'), withinMs);
    });
    const failure = await Promise.race([seen, this.ended]);
    if (watcher) this.watchers.delete(watcher);
    clearTimeout(timer);
    if (failure !== undefined) throw this.failure(failure);
  }

  failure(reason: string): CliError {
    const { name, logFile } = this.options;
    return new CliError(`${name} stopped: ${reason} (log: ${logFile})`, ExitCode.unexpected);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_MS);
    await this.ended;
    clearTimeout(timer);
  }

  private take(text: string): void {
    // Only the end matters: what is awaited, and the reason of a failure.
    this.output = (this.output + text).slice(-20_000);
    for (const watcher of this.watchers) watcher();
  }

  private lastLine(): string {
    return this.output.trimEnd().split('\n').at(-1)?.trim() ?? '';
  }
}
