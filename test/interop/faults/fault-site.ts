import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { signAccountToken } from '../../../src/accounts/index.js';
import { hashSecret, newSecret } from '../../../src/common/index.js';
import { TcpProxy } from '../../crash/tcp-proxy.js';
import { HelloProcess } from '../../support/hello-process.js';
import { rpcCall, taskUntil, textMessage } from '../../support/rpc-call.js';
import { inState, type SeenTask } from './task-looks.js';

const JWT_SECRET = 'a-secret-of-at-least-32-characters-for-faults';
const OWNER = 'account-owner';

/** Leaves a line for each run, and goes on once its gate is open. The text of a message names its gate. */
const JOB_PROGRAM = `read -r text
echo "$HELLO_JOB_ID $DAEMON_NAME" >> "$SITE_DIR/ran.txt"
while [ -e "$SITE_DIR/shut-$text" ]; do sleep 0.05; done
printf 'did %s' "$text"`;

/** A process group that ends only by force, or with its site: it and its child ignore SIGTERM. */
const STUBBORN_PROGRAM = `trap '' TERM
stay() { while [ -d "$SITE_DIR" ]; do sleep 0.2; done; }
stay &
echo $$ > "$SITE_DIR/group.part" && mv "$SITE_DIR/group.part" "$SITE_DIR/group"
stay`;

export interface FaultSiteOptions {
  settings?: Record<string, string>;
  concurrency?: number;
}

const openSites: FaultSite[] = [];

/** For after each test. */
export async function closeSites(): Promise<void> {
  for (const site of openSites.splice(0)) await site.close();
}

/**
 * The built API and daemon as processes with files of their own, and between the two a line that can be cut and
 * stalled. Callers reach the API directly.
 */
export class FaultSite {
  readonly dir = mkdtempSync(join(tmpdir(), 'hello-fault-'));
  readonly apiFile = join(this.dir, 'a2a.sqlite');
  private readonly relayToken = newSecret('rt_');
  private readonly processes: HelloProcess[] = [];
  private running: { api: HelloProcess; base: string } | undefined;
  private token = '';

  private constructor(
    private readonly options: FaultSiteOptions,
    readonly line: TcpProxy,
  ) {
    const program = (source: string) => ({
      runtime: 'command',
      command: ['/bin/sh', '-c', source],
      env: ['SITE_DIR', 'DAEMON_NAME'],
    });
    const agents = { stubborn: program(STUBBORN_PROGRAM), '*': program(JOB_PROGRAM) };
    const { concurrency = 4 } = options;
    writeFileSync(join(this.dir, 'daemon.yaml'), stringify({ concurrency, agents }));
    writeFileSync(join(this.dir, 'directory.yaml'), stringify(this.directory()));
  }

  /** Both programs, connected. They end with `closeSites`, also when this fails. */
  static async start(options: FaultSiteOptions = {}): Promise<{ site: FaultSite; daemon: HelloProcess }> {
    const site = new FaultSite(options, await TcpProxy.listen());
    openSites.push(site);
    site.token = await signAccountToken({ secret: JWT_SECRET, accountId: OWNER, ttlSeconds: 600 });
    await site.startApi();
    return { site, daemon: await site.startDaemon() };
  }

  get api(): HelloProcess {
    if (!this.running) throw new Error('the API was not started');
    return this.running.api;
  }

  get base(): string {
    return this.running?.base ?? '';
  }

  target(handle = 'work'): { url: string; token: string } {
    return { url: `${this.base}/a2a/@owner/${handle}`, token: this.token };
  }

  /** Starts on the files that an earlier one has left, and lets the line reach it. */
  async startApi(): Promise<void> {
    const api = this.program(['serve'], {
      HOST: '127.0.0.1',
      PORT: '0',
      PUBLIC_BASE_URL: 'http://localhost:3000',
      A2A_STORE_PATH: this.apiFile,
      DIRECTORY_FILE: join(this.dir, 'directory.yaml'),
      ACCOUNT_JWT_SECRET: JWT_SECRET,
      A2A_RPC_PER_MINUTE: '1000000',
      // Nothing may come from the schedule: what is shown here must not depend on it.
      A2A_RECONCILE_SECONDS: '3600',
      ...this.options.settings,
    });
    const listens = /hello-api listens on (http:\/\/\S+?:(\d+))/;
    await api.printed(listens);
    const [, base = '', port] = listens.exec(api.output) ?? [];
    this.running = { api, base };
    this.line.serverPort = Number(port);
    this.line.resume();
  }

  /** kill -9; what is on the line is lost with it. */
  async killApi(): Promise<void> {
    await this.api.kill();
    this.line.serverPort = undefined;
    this.line.cut();
  }

  /** @param name what its jobs write down as having run them */
  launchDaemon(name = 'daemon', dataFolder = 'daemon'): HelloProcess {
    const files = ['--config', join(this.dir, 'daemon.yaml'), '--data', join(this.dir, dataFolder)];
    return this.program(['daemon', '--url', `ws://127.0.0.1:${this.line.port}/relay`, ...files], {
      HELLO_RELAY_TOKEN: this.relayToken,
      SITE_DIR: this.dir,
      DAEMON_NAME: name,
    });
  }

  /** Resolves once its hello was answered. */
  async startDaemon(name?: string, dataFolder?: string): Promise<HelloProcess> {
    const daemon = this.launchDaemon(name, dataFolder);
    await daemon.printed(/hello daemon is connected/);
    return daemon;
  }

  /** Sends a text and answers the task as it is after the submission. */
  async send(text: string, handle?: string): Promise<SeenTask> {
    const { status, body } = await rpcCall(this.target(handle), 'SendMessage', textMessage(text));
    if (status !== 200) throw new Error(`send failed: ${status} ${JSON.stringify(body)}`);
    return body.result.task;
  }

  async completed({ id }: { id: string }): Promise<SeenTask> {
    return await taskUntil(this.target(), id, inState('COMPLETED'));
  }

  /** The tasks as they are stored, with their replies: no computer is asked. */
  async listed(): Promise<SeenTask[]> {
    return (await rpcCall(this.target(), 'ListTasks', { includeArtifacts: true })).body.result.tasks;
  }

  /** A job with this text does not end while its gate is shut. */
  shut(text: string): void {
    writeFileSync(join(this.dir, `shut-${text}`), '');
  }

  open(text: string): void {
    rmSync(join(this.dir, `shut-${text}`));
  }

  /** Each start of a job: its id and the daemon that ran it, in order. */
  ran(): { jobId: string; by: string }[] {
    const file = join(this.dir, 'ran.txt');
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
    return lines.map((line) => {
      const [jobId = '', by = ''] = line.split(' ');
      return { jobId, by };
    });
  }

  async close(): Promise<void> {
    for (const each of this.processes) await each.kill();
    await this.line.close();
    rmSync(this.dir, { recursive: true, force: true });
  }

  private program(args: string[], env: Record<string, string>): HelloProcess {
    const started = new HelloProcess(args, { cwd: this.dir, env });
    this.processes.push(started);
    return started;
  }

  private directory(): object {
    return {
      accounts: [{ id: OWNER, username: 'owner' }],
      computers: [{ id: 'computer-1', account: OWNER, relayTokenHash: hashSecret(this.relayToken) }],
      agents: ['work', 'stubborn'].map((handle) => ({
        id: `agent-${handle}`,
        account: OWNER,
        computer: 'computer-1',
        handle,
        visibility: 'public',
      })),
    };
  }
}

const run = promisify(execFile);

/** Lets a process write nothing more to any file, as on a full disk, until there is room again. */
export async function fillDisk(program: HelloProcess): Promise<void> {
  await run('prlimit', ['--pid', String(program.pid), '--fsize=0:unlimited']);
}

export async function makeRoom(program: HelloProcess): Promise<void> {
  await run('prlimit', ['--pid', String(program.pid), '--fsize=unlimited']);
}
