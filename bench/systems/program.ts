import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { pinned, SERVER_CORE } from './cores.js';

const START_MS = 120_000;
const STOP_MS = 15_000;
const LOOK_EVERY_MS = 5;

/** Whatever ends this process, none of its programs is left behind. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export interface ProgramOptions {
  /** Takes what it prints, as production's logs do; a pipe would be read at the cost of the load generator. */
  logFile: string;
  env?: Record<string, string>;
  /** The core that it is pinned to; by default the servers' one. */
  core?: number;
  /** Opens a channel for messages. */
  ipc?: boolean;
}

/** A program in a process of its own, on a core of its own where the machine allows. */
export class Program {
  readonly child: ChildProcess;
  private readonly ended: Promise<string>;

  /** @param args of node */
  constructor(
    args: string[],
    private readonly options: ProgramOptions,
  ) {
    const log = openSync(options.logFile, 'a');
    const [command = '', ...rest] = pinned([process.execPath, ...args], options.core ?? SERVER_CORE);
    this.child = spawn(command, rest, {
      env: { PATH: process.env['PATH'] ?? '', ...options.env },
      stdio: ['ignore', log, log, ...(options.ipc ? (['ipc'] as const) : [])],
    });
    closeSync(log);
    running.add(this.child);
    this.child.once('exit', () => running.delete(this.child));
    this.ended = new Promise((resolve) => {
      this.child.once('exit', (code, signal) => resolve(String(code ?? signal)));
      this.child.once('error', (error) => resolve(error.message));
    });
  }

  get pid(): number {
    return this.child.pid ?? -1;
  }

  log(): string {
    return readFileSync(this.options.logFile, 'utf8');
  }

  /** @returns what matched @throws with the log when the program ends first or says nothing in time */
  async printed(pattern: RegExp, withinMs = START_MS): Promise<RegExpExecArray> {
    let end: string | undefined;
    void this.ended.then((how) => (end = how));
    const deadline = performance.now() + withinMs;
    for (;;) {
      const found = pattern.exec(this.log());
      if (found) return found;
      if (end !== undefined || performance.now() > deadline) {
        throw new Error(
          `${String(pattern)} was not printed (end: ${end ?? 'none'}):\n${this.log().slice(-2000)}`,
        );
      }
      await pause(LOOK_EVERY_MS);
    }
  }

  /** @returns the exit code or signal */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<string> {
    this.child.kill(signal);
    const force = setTimeout(() => this.child.kill('SIGKILL'), STOP_MS);
    const how = await this.ended;
    clearTimeout(force);
    return how;
  }
}
