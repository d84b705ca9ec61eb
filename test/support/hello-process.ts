import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

const PROGRAM = join(__dirname, '..', '..', 'bin', 'hello.mjs');
const DEADLINE_MS = 60_000;

/** The built `hello` command, or another program, in a process of its own. */
export class HelloProcess {
  readonly ended: Promise<number | string>;
  output = '';
  private readonly child: ChildProcess;
  private readonly watchers = new Set<() => void>();

  constructor(args: string[], options: { env: Record<string, string>; cwd: string; program?: string }) {
    this.child = spawn(process.execPath, [options.program ?? PROGRAM, ...args], {
      cwd: options.cwd,
      env: { PATH: process.env.PATH ?? '', ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text;
        for (const watcher of this.watchers) watcher();
      });
    }
    this.ended = new Promise((resolve) => {
      this.child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
    });
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Waits until its output, from `from` on, matches. @throws with the output when it ends first or stays silent */
  async printed(pattern: RegExp, from = 0): Promise<void> {
    let watcher = (): void => undefined;
    let timer: NodeJS.Timeout | undefined;
    const seen = new Promise<string>((resolve) => {
      watcher = () => {
        if (pattern.test(this.output.slice(from))) resolve('');
      };
      timer = setTimeout(() => resolve('was not printed in time'), DEADLINE_MS);
      this.watchers.add(watcher);
      watcher();
    });
    const problem = await Promise.race([
      seen,
      this.ended.then((how) => `was not printed before the end (${how})`),
    ]);
    this.watchers.delete(watcher);
    clearTimeout(timer);
    if (problem) throw new Error(`${String(pattern)} ${problem}:\n${this.output}`);
  }

  /** Asks it to stop; by force after a while. @returns the exit code, or the signal that ended it */
  async stop(signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM'): Promise<number | string> {
    this.child.kill(signal);
    const timer = setTimeout(() => this.child.kill('SIGKILL'), DEADLINE_MS / 2);
    const how = await this.ended;
    clearTimeout(timer);
    return how;
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}
