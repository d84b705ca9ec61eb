import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestedDaemon } from './transcript-daemon.js';

export const SCRIPT = join(__dirname, '..', '..', 'examples', 'daemon.py');

/** The example daemon, in a process and a folder of its own. */
export class PythonDaemon implements TestedDaemon {
  private readonly folder = mkdtempSync(join(tmpdir(), 'hello-python-daemon-'));
  private child: ChildProcess | undefined;
  private said = '';

  constructor(
    private readonly python: string,
    private readonly token: string,
  ) {}

  async start(url: string): Promise<void> {
    this.child = spawn(this.python, [SCRIPT, join(this.folder, 'jobs.sqlite')], {
      env: { PATH: process.env.PATH, HELLO_RELAY_URL: url, HELLO_RELAY_TOKEN: this.token },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.child.stderr?.on('data', (text: Buffer) => (this.said += text.toString()));
  }

  /** As a power cut would: without a chance to finish anything. */
  async restart(url: string): Promise<void> {
    await this.kill();
    await this.start(url);
  }

  async ended(): Promise<string> {
    if (this.child && this.child.exitCode === null) await once(this.child, 'close');
    if (this.said.includes('4409')) return 'replaced';
    return this.said.includes('4406') ? 'incompatible' : this.said;
  }

  async kill(): Promise<void> {
    if (!this.child || this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    await once(this.child, 'close');
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
