import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { signAccountToken } from '../../src/accounts/index.js';
import { hashSecret, newSecret } from '../../src/common/index.js';
import { HelloProcess } from './hello-process.js';

const JWT_SECRET = 'a-secret-of-at-least-32-characters-for-tests';
export const OWNER = 'account-owner';
const CALLER = 'account-caller';

export interface DeploymentOptions {
  /** Settings of the API besides those that every deployment has. */
  settings?: Record<string, string>;
  /** `agents` of daemon.yaml; every other handle echoes. */
  runtimes?: Record<string, object>;
  /** Jobs that may wait at the daemon; many by default. */
  queueLimit?: number;
}

/**
 * An API and a daemon as a user runs them: the built program, processes of their own, real files in a fresh
 * folder. Its assistants: `@owner/echo`, `@owner/other`, `@owner/desk` (public), `@owner/link` and `@owner/private`.
 */
export class Deployment {
  readonly dir = mkdtempSync(join(tmpdir(), 'hello-'));
  readonly linkKey = 'key+of/the link=';
  /** Of the computer on which `@owner/scripted` runs; no daemon of this deployment has it. */
  readonly scriptedToken = newSecret('rt_');
  /** Opens the 0.3 addresses; its account owns nothing here. */
  readonly apiKey = newSecret('hi_');
  api: HelloProcess | undefined;
  daemon: HelloProcess | undefined;
  private readonly relayToken = newSecret('rt_');

  private constructor(
    private readonly port: number,
    private readonly options: DeploymentOptions,
  ) {
    writeFileSync(join(this.dir, 'directory.yaml'), stringify(this.directory()));
    const { queueLimit = 500, runtimes } = options;
    const agents = { ...runtimes, '*': { runtime: 'echo' } };
    writeFileSync(join(this.dir, 'daemon.yaml'), stringify({ concurrency: 8, queueLimit, agents }));
  }

  /** Chosen before the start, so that the daemon finds a restarted API again. */
  static async create(options: DeploymentOptions = {}): Promise<Deployment> {
    return new Deployment(await freePort(), options);
  }

  get base(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  endpoint(handle: string): string {
    return `${this.base}/a2a/@owner/${handle}`;
  }

  /** The 0.3 address of a public assistant. */
  published(handle: string): string {
    return `${this.base}/a2a/agent-${handle}`;
  }

  token(accountId: string = OWNER): Promise<string> {
    return signAccountToken({ secret: JWT_SECRET, accountId, ttlSeconds: 600 });
  }

  async startApi(): Promise<HelloProcess> {
    this.api = new HelloProcess(['serve'], {
      cwd: this.dir,
      env: {
        HOST: '127.0.0.1',
        PORT: String(this.port),
        PUBLIC_BASE_URL: this.base,
        A2A_STORE_PATH: join(this.dir, 'a2a.sqlite'),
        DIRECTORY_FILE: join(this.dir, 'directory.yaml'),
        ACCOUNT_JWT_SECRET: JWT_SECRET,
        ...this.options.settings,
      },
    });
    await this.api.printed(/hello-api listens on/);
    return this.api;
  }

  /** Resolves once the daemon's hello was answered. */
  async startDaemon(): Promise<HelloProcess> {
    const url = `${this.base.replace('http', 'ws')}/relay`;
    this.daemon = new HelloProcess(
      ['daemon', '--url', url, '--config', join(this.dir, 'daemon.yaml'), '--data', join(this.dir, 'daemon')],
      {
        cwd: this.dir,
        // For runtimes that leave a trace: what ran, and how often.
        env: { HELLO_RELAY_TOKEN: this.relayToken, RAN_FILE: join(this.dir, 'ran.txt') },
      },
    );
    await this.daemon.printed(/hello daemon is connected/);
    return this.daemon;
  }

  async start(): Promise<void> {
    await this.startApi();
    await this.startDaemon();
  }

  async close(): Promise<void> {
    await this.daemon?.kill();
    await this.api?.kill();
    rmSync(this.dir, { recursive: true, force: true });
  }

  private directory(): object {
    const agent = (handle: string, rest: object) => ({
      id: `agent-${handle}`,
      account: OWNER,
      computer: 'computer-1',
      handle,
      ...rest,
    });
    return {
      accounts: [
        { id: OWNER, username: 'owner' },
        { id: CALLER, username: 'caller' },
      ],
      computers: [
        { id: 'computer-1', account: OWNER, relayTokenHash: hashSecret(this.relayToken) },
        { id: 'computer-2', account: OWNER, relayTokenHash: hashSecret(this.scriptedToken) },
      ],
      agents: [
        agent('echo', { visibility: 'public' }),
        agent('other', { visibility: 'public' }),
        agent('desk', { visibility: 'public' }),
        agent('link', { visibility: 'link', linkKeyHash: hashSecret(this.linkKey) }),
        agent('private', { visibility: 'private' }),
        agent('scripted', { visibility: 'public', computer: 'computer-2' }),
      ],
      apiKeys: [{ account: CALLER, keyHash: hashSecret(this.apiKey) }],
    };
  }
}

/** Below those that systems give to whoever asks for any, so that no other connection takes it before it is used. */
const PORTS = { from: 10_000, to: 32_000 };

/** A port that nobody listens on, for a program that needs to know it before its start. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((done) => probe.close(done));
    return port;
  }
}
