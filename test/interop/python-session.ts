import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';

export interface PythonCall {
  method: string;
  params: object;
  token: string;
  /** Instead of the session's own. */
  endpoint?: string;
  /** `A2A-Version`; empty sends none. */
  version?: string;
  /** `client`: resolve the card and call through the SDK's client, not through its transport alone. */
  through?: 'client';
}

export interface PythonOutcome {
  result?: any;
  /** The class that the SDK raised. */
  error?: string;
  message?: string;
  data?: Record<string, unknown> | null;
  http?: { status: number; headers: Record<string, string>; body: Record<string, string> };
}

/** One Python process with the official SDK; calls are made one after the other. */
export class PythonSession {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly answers: AsyncIterator<string>;
  private readonly lines: Interface;
  private errors = '';

  constructor(python: string, endpoint: string) {
    this.child = spawn(python, [join(__dirname, 'session.py')], {
      env: { PATH: process.env.PATH, HELLO_A2A_URL: endpoint },
      stdio: 'pipe',
    });
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => (this.errors += text));
    this.lines = createInterface({ input: this.child.stdout });
    this.answers = this.lines[Symbol.asyncIterator]();
  }

  /** @throws with what Python wrote to stderr when the process has ended */
  async call(call: PythonCall): Promise<PythonOutcome> {
    this.child.stdin.write(`${JSON.stringify(call)}\n`);
    const line = await this.answers.next();
    if (line.done) throw new Error(`the Python session ended:\n${this.errors}`);
    return JSON.parse(line.value) as PythonOutcome;
  }

  async close(): Promise<void> {
    const ended = once(this.child, 'close');
    this.child.stdin.end();
    await ended;
    this.lines.close();
  }
}
