import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { signAccountToken } from '../../src/accounts/index.js';
import { hashSecret, newSecret } from '../../src/common/index.js';
import { Program } from './program.js';
import type { System } from './system.js';

const HELLO = fileURLToPath(new URL('../../bin/hello.mjs', import.meta.url));
const JWT_SECRET = 'a-secret-of-at-least-32-characters-for-measuring';
const OWNER = 'account-owner';
const TOKEN_SECONDS = 86_400;

/** Everything is on, as in production; only the limits that a load generator would meet are out of the way. */
const SETTINGS = {
  NODE_ENV: 'production',
  LOG_LEVEL: 'info',
  HOST: '127.0.0.1',
  PORT: '0',
  PUBLIC_BASE_URL: 'https://hello.example',
  ACCOUNT_JWT_SECRET: JWT_SECRET,
  A2A_MESSAGES_PER_HOUR: '1000000',
  A2A_RPC_PER_MINUTE: '1000000',
  RELAY_MAX_IN_FLIGHT: '1000',
};

export interface HelloOptions {
  /** An empty folder for its files. */
  dir: string;
  /** The database; one in `dir` by default. */
  storeFile?: string;
  /** Accounts that will call; a token is made for each. */
  accounts: readonly string[];
  /** How many computers there are, each with one assistant; one by default. */
  computers?: number;
  settings?: Record<string, string>;
  /** Options of node, to profile it for example. */
  nodeOptions?: readonly string[];
}

/** `hello serve` as it is built. Computer number n is `computer-n`, its assistant `agent-n` at `@owner/echo-n`. */
export class HelloSystem implements System {
  readonly name = 'hello';
  readonly rpcPath = '/a2a/@owner/echo-0';
  readonly cardPath = `${this.rpcPath}/.well-known/agent-card.json`;
  readonly relayTokens: readonly string[];
  readonly storeFile: string;
  port = 0;
  private readonly tokens = new Map<string, string>();
  private program: Program | undefined;

  constructor(private readonly options: HelloOptions) {
    mkdirSync(options.dir, { recursive: true });
    this.storeFile = options.storeFile ?? join(options.dir, 'a2a.sqlite');
    this.relayTokens = Array.from({ length: options.computers ?? 1 }, () => newSecret('rt_'));
    // JSON is YAML too, and quicker to read.
    writeFileSync(this.directoryFile, JSON.stringify(directory(this.relayTokens)));
  }

  /** Starts it, again after a stop. @returns how many seconds it took until it listened */
  async start(): Promise<number> {
    await this.signTokens();
    const startedAt = performance.now();
    const { nodeOptions = [], settings, dir } = this.options;
    // A log of its own for each start: what an earlier one printed says nothing of this one.
    this.program = new Program([...nodeOptions, HELLO, 'serve'], {
      logFile: join(dir, `api-${Math.round(startedAt)}.log`),
      env: {
        ...SETTINGS,
        A2A_STORE_PATH: this.storeFile,
        DIRECTORY_FILE: this.directoryFile,
        ...settings,
      },
    });
    const [, port] = await this.program.printed(/hello-api listens on http:\/\/\S+?:(\d+)/);
    this.port = Number(port);
    return (performance.now() - startedAt) / 1000;
  }

  get pid(): number {
    return this.running.pid;
  }

  get relayUrl(): string {
    return `ws://127.0.0.1:${this.port}/relay`;
  }

  /** @throws for an account that was not named when it was made */
  authorization(accountId: string): string {
    const token = this.tokens.get(accountId);
    if (token === undefined) throw new Error(`there is no token for ${accountId}`);
    return `Bearer ${token}`;
  }

  /** Waits for a line of its log. */
  async logged(pattern: RegExp, withinMs: number): Promise<void> {
    await this.running.printed(pattern, withinMs);
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    await this.running.stop(signal);
  }

  private get running(): Program {
    if (!this.program) throw new Error('hello was not started');
    return this.program;
  }

  private get directoryFile(): string {
    return join(this.options.dir, 'directory.json');
  }

  private async signTokens(): Promise<void> {
    for (const accountId of this.options.accounts) {
      if (this.tokens.has(accountId)) continue;
      const request = { secret: JWT_SECRET, accountId, ttlSeconds: TOKEN_SECONDS };
      this.tokens.set(accountId, await signAccountToken(request));
    }
  }
}

function directory(relayTokens: readonly string[]): object {
  return {
    accounts: [{ id: OWNER, username: 'owner' }],
    computers: relayTokens.map((token, n) => ({
      id: `computer-${n}`,
      account: OWNER,
      relayTokenHash: hashSecret(token),
    })),
    agents: relayTokens.map((_, n) => ({
      id: `agent-${n}`,
      account: OWNER,
      computer: `computer-${n}`,
      handle: `echo-${n}`,
      visibility: 'public',
    })),
  };
}
