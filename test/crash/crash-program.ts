import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';

export interface ProgramOptions {
  name: string;
  /** Behind `node`. */
  args: string[];
  env: Record<string, string>;
  cwd: string;
  logFile: string;
  /** It ended though nobody wanted it to. */
  onUnwantedEnd: (name: string, how: string) => void;
}

const STOP_MS = 60_000;

/** One run of the API or the daemon as a process of its own, with its output in a file. */
export class CrashProgram {
  /** Settles with the exit code, or the signal that ended it. */
  readonly ended: Promise<string>;
  private readonly child: ChildProcess;
  private readonly watchers = new Set<() => void>();
  private output = '';
  private isWanted = true;

  constructor(options: ProgramOptions) {
    this.child = spawn(process.execPath, options.args, {
      cwd: options.cwd,
      env: options.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const log = createWriteStream(options.logFile, { flags: 'a' });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        log.write(text);
        // Only what is said at the start is waited for.
        if (this.output.length < 20_000) this.output += text;
        for (const watcher of this.watchers) watcher();
      });
    }
    this.ended = new Promise((resolve) => {
      this.child.once('close', (code, signal) => {
        log.end();
        const how = String(code ?? signal);
        if (this.isWanted) options.onUnwantedEnd(options.name, how);
        resolve(how);
      });
    });
  }

  /** @returns what the pattern found in the output; nothing when the program ended or the time is over before */
  async printed(pattern: RegExp, withinMs: number): Promise<RegExpExecArray | undefined> {
    let timer: NodeJS.Timeout | undefined;
    let watcher = (): void => undefined;
    const seen = new Promise<RegExpExecArray | undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), withinMs);
      watcher = () => {
        const found = pattern.exec(this.output);
        if (found) resolve(found);
      };
      this.watchers.add(watcher);
      watcher();
    });
    try {
      return await Promise.race([seen, this.ended.then(() => undefined)]);
    } finally {
      clearTimeout(timer);
      this.watchers.delete(watcher);
    }
  }

  /** SIGKILL: the process gets no chance to finish anything. */
  async kill(): Promise<void> {
    this.isWanted = false;
    this.child.kill('SIGKILL');
    await this.ended;
  }

  /** SIGTERM, and SIGKILL when that does not help in time. @returns how it ended */
  async stop(): Promise<string> {
    this.isWanted = false;
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_MS);
    const how = await this.ended;
    clearTimeout(timer);
    return how;
  }
}
