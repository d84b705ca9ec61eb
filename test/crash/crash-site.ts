import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { hashSecret, newSecret } from '../../src/common/index.js';
import { CrashProgram } from './crash-program.js';
import { ACCOUNTS, HANDLES, JOB_PROGRAM } from './message-plan.js';
import { TcpProxy } from './tcp-proxy.js';

export const JWT_SECRET = 'a-secret-of-at-least-32-characters-for-crash-runs';

/** Time-outs short enough that faults are noticed many times in one run, limits out of the way. */
const API_SETTINGS = {
  A2A_MESSAGES_PER_HOUR: '1000000',
  A2A_RPC_PER_MINUTE: '1000000',
  A2A_WAIT_BUDGET_MS: '3000',
  A2A_RECONCILE_SECONDS: '1',
  RELAY_HEARTBEAT_MS: '1500',
  RELAY_SUBMIT_TIMEOUT_MS: '2000',
  RELAY_STATUS_TIMEOUT_MS: '1500',
  RELAY_CANCEL_TIMEOUT_MS: '2500',
  LOG_LEVEL: 'warn',
};

/** Few places, so that the queue is full most of the time. */
const DAEMON_LIMITS = { concurrency: 6, queueLimit: 24 };
const START_MS = 60_000;

/**
 * The built API and daemon as processes with files of their own in a fresh folder, and two lines that can be
 * disturbed: from the clients to the API and from the daemon to the API.
 */
export class CrashSite {
  readonly dir = mkdtempSync(join(tmpdir(), 'hello-crash-'));
  readonly apiFile = join(this.dir, 'a2a.sqlite');
  readonly daemonFile = join(this.dir, 'daemon', 'daemon.sqlite');
  readonly ranFile = join(this.dir, 'ran.txt');
  readonly apiLog = join(this.dir, 'api.log');
  private readonly relayToken = newSecret('rt_');
  private api: CrashProgram | undefined;
  private daemon: CrashProgram | undefined;

  private constructor(
    private readonly programFile: string,
    private readonly onUnwantedEnd: (name: string, how: string) => void,
    readonly clientLine: TcpProxy,
    readonly relayLine: TcpProxy,
  ) {
    writeFileSync(join(this.dir, 'job.sh'), JOB_PROGRAM);
    writeFileSync(this.ranFile, '');
    writeFileSync(join(this.dir, 'directory.yaml'), stringify(this.directory()));
    const command = ['/bin/sh', join(this.dir, 'job.sh')];
    const agents = { '*': { runtime: 'command', command, env: ['RAN_FILE'] } };
    writeFileSync(join(this.dir, 'daemon.yaml'), stringify({ ...DAEMON_LIMITS, agents }));
  }

  /** @param programFile `bin/hello.mjs` of a built tree */
  static async create(
    programFile: string,
    onUnwantedEnd: (name: string, how: string) => void,
  ): Promise<CrashSite> {
    return new CrashSite(programFile, onUnwantedEnd, await TcpProxy.listen(), await TcpProxy.listen());
  }

  /** @throws when it does not listen in time */
  async startApi(): Promise<void> {
    this.launchApi();
    await this.apiListens();
  }

  /** Starts the process and does not wait for it. */
  launchApi(): void {
    this.api = this.program('api', ['serve'], {
      ...API_SETTINGS,
      HOST: '127.0.0.1',
      // Another port each time: one that is fixed could be taken by somebody else while the API is down.
      PORT: '0',
      PUBLIC_BASE_URL: `http://127.0.0.1:${this.clientLine.port}`,
      A2A_STORE_PATH: this.apiFile,
      DIRECTORY_FILE: join(this.dir, 'directory.yaml'),
      ACCOUNT_JWT_SECRET: JWT_SECRET,
    });
  }

  async apiListens(): Promise<void> {
    const found = await this.api?.printed(/hello-api listens on http:\/\/\S+?:(\d+)/, START_MS);
    if (!found) throw new Error('the API did not start');
    this.clientLine.serverPort = Number(found[1]);
    this.relayLine.serverPort = Number(found[1]);
  }

  async killApi(): Promise<void> {
    await this.api?.kill();
    this.clientLine.serverPort = undefined;
    this.relayLine.serverPort = undefined;
  }

  /** Starts the process; it connects when it can. */
  launchDaemon(): void {
    const url = `ws://127.0.0.1:${this.relayLine.port}/relay`;
    const files = ['--config', join(this.dir, 'daemon.yaml'), '--data', join(this.dir, 'daemon')];
    this.daemon = this.program('daemon', ['daemon', '--url', url, ...files], {
      HELLO_RELAY_TOKEN: this.relayToken,
      RAN_FILE: this.ranFile,
    });
  }

  async killDaemon(): Promise<void> {
    await this.daemon?.kill();
  }

  /** Stops both in order. @returns how each ended */
  async stop(): Promise<{ api: string; daemon: string }> {
    const daemon = (await this.daemon?.stop()) ?? 'was not there';
    const api = (await this.api?.stop()) ?? 'was not there';
    return { api, daemon };
  }

  /** Ends what still runs. */
  async close(options: { keepFiles: boolean }): Promise<void> {
    await this.killDaemon();
    await this.killApi();
    await Promise.all([this.clientLine.close(), this.relayLine.close()]);
    if (!options.keepFiles) rmSync(this.dir, { recursive: true, force: true });
  }

  private program(name: string, args: string[], env: Record<string, string>): CrashProgram {
    return new CrashProgram({
      name,
      args: [this.programFile, ...args],
      env: { PATH: process.env.PATH ?? '', ...env },
      cwd: this.dir,
      logFile: join(this.dir, `${name}.log`),
      onUnwantedEnd: this.onUnwantedEnd,
    });
  }

  private directory(): object {
    const [owner] = ACCOUNTS;
    return {
      accounts: ACCOUNTS.map((id) => ({ id, username: id.replace('account-', '') })),
      computers: [{ id: 'computer-1', account: owner, relayTokenHash: hashSecret(this.relayToken) }],
      agents: HANDLES.map((handle) => ({
        id: `agent-${handle}`,
        account: owner,
        computer: 'computer-1',
        handle,
        visibility: 'public',
      })),
    };
  }
}
