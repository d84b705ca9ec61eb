import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signAccountToken } from '../../src/accounts/index.js';
import type { AppExtensions } from '../../src/app.module.js';
import { loadAppConfig } from '../../src/config/index.js';
import { serve, type RunningServer } from '../../src/main.js';
import { LogWatch } from './log-watch.js';
import {
  ADDRESSES,
  AGENTS,
  API_KEY,
  DIRECTORY,
  LINK_KEY,
  OTHER_RELAY_TOKEN,
  PUBLISHED,
  RELAY_TOKEN,
  SECRET,
} from './test-directory.js';
import { ScriptedDaemon, type ScriptedDaemonOptions } from './scripted-daemon.js';

export { ADDRESSES, API_KEY, LINK_KEY, OTHER_RELAY_TOKEN, PUBLISHED, RELAY_TOKEN, SECRET };

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  // Answers are JSON of many forms; the test says which one it expects.
  body: any;
}

export interface CallOptions {
  account?: string;
  headers?: Record<string, string | undefined>;
  query?: string;
  id?: unknown;
  signal?: AbortSignal;
}

/** What a test adds to the service. */
export interface TestSetup extends Pick<AppExtensions, 'imports'> {
  /** Handles that the directory file leaves out. */
  withoutAgents?: readonly string[];
  /** Runs before the last stop. */
  onClose?: () => void;
}

/** The whole service in this process: a real HTTP port, a real database file, a real relay. */
export class TestApi {
  private readonly daemons: ScriptedDaemon[] = [];
  private readonly setup: TestSetup;
  /** What was logged, at the most talkative level; checked when the service stops. */
  readonly logs: LogWatch;

  private constructor(
    readonly server: RunningServer,
    readonly folder: string,
    private readonly environment: Record<string, string>,
    { setup, logs }: { setup: TestSetup; logs: LogWatch },
  ) {
    this.setup = setup;
    this.logs = logs;
  }

  static async start(environment: Record<string, string> = {}, setup: TestSetup = {}): Promise<TestApi> {
    return TestApi.startIn(mkdtempSync(join(tmpdir(), 'hello-api-')), environment, setup);
  }

  /** Starts on a folder that an earlier start has filled. */
  static async startIn(
    folder: string,
    environment: Record<string, string> = {},
    setup: TestSetup = {},
  ): Promise<TestApi> {
    const directoryFile = join(folder, 'directory.json');
    const agents = AGENTS.filter(({ handle }) => !setup.withoutAgents?.includes(handle));
    writeFileSync(directoryFile, JSON.stringify({ ...DIRECTORY, agents }));
    chmodSync(directoryFile, 0o600);
    const full = {
      PORT: '0',
      ACCOUNT_JWT_SECRET: SECRET,
      A2A_STORE_PATH: join(folder, 'data', 'a2a.sqlite'),
      DIRECTORY_FILE: directoryFile,
      A2A_MESSAGES_PER_HOUR: '1000000',
      A2A_RPC_PER_MINUTE: '1000000',
      A2A_LOGIN_FAILURES_PER_MINUTE: '1000000',
      LOG_LEVEL: 'trace',
      ...environment,
    };
    const logs = new LogWatch([SECRET, LINK_KEY, RELAY_TOKEN, OTHER_RELAY_TOKEN, API_KEY]);
    const imports = setup.imports ?? [];
    const server = await serve(loadAppConfig(full), { logs, imports });
    return new TestApi(server, folder, environment, { setup, logs });
  }

  get url(): string {
    return this.server.url;
  }

  /** Stops the service and starts it again on the same files. */
  async restart(environment: Record<string, string> = {}): Promise<TestApi> {
    await this.stop();
    return TestApi.startIn(this.folder, { ...this.environment, ...environment }, this.setup);
  }

  async stop(): Promise<void> {
    for (const daemon of this.daemons) await daemon.close();
    await this.server.close();
    this.logs.check();
  }

  async close(): Promise<void> {
    this.setup.onClose?.();
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async daemon(options: Partial<ScriptedDaemonOptions> = {}): Promise<ScriptedDaemon> {
    const url = `${this.url.replace('http', 'ws')}/relay`;
    const daemon = await ScriptedDaemon.connect({ url, token: RELAY_TOKEN, ...options });
    this.daemons.push(daemon);
    return daemon;
  }

  async token(accountId: string): Promise<string> {
    const token = await signAccountToken({ secret: SECRET, accountId, ttlSeconds: 3600 });
    this.logs.forbid(token);
    return token;
  }

  /** One JSON-RPC call of the 1.0 endpoint, with everything that a good client sends. */
  async rpc(address: string, method: string, params: unknown, options: CallOptions = {}): Promise<Answer> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: options.id ?? 'rpc-1', method, params });
    return this.post(address, body, options);
  }

  async post(address: string, body: string | Buffer, options: CallOptions = {}): Promise<Answer> {
    const headers = {
      'Content-Type': 'application/json',
      'A2A-Version': '1.0',
      Authorization: `Bearer ${await this.token(options.account ?? 'acct-bob')}`,
      ...options.headers,
    };
    return this.request('POST', address + (options.query ?? ''), { ...options, headers, body });
  }

  /** Any HTTP request, exactly as given; headers that are undefined are not sent. */
  async request(
    method: string,
    path: string,
    options: {
      headers?: Record<string, string | undefined>;
      body?: string | Buffer;
      signal?: AbortSignal;
    } = {},
  ): Promise<Answer> {
    this.logs.forbidTextsOf(options.body);
    const { hostname, port } = new URL(this.url);
    const headers = Object.fromEntries(
      Object.entries(options.headers ?? {}).filter(([, value]) => value !== undefined),
    );
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        { hostname, port, method, path, headers: headers as Record<string, string>, signal: options.signal },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parse(text) });
          });
        },
      );
      request.on('error', reject);
      request.end(options.body);
    });
  }

  /** Sends a text and answers the task, for tests that need one. */
  async send(
    message: object = {},
    options: CallOptions & { address?: string; configuration?: object } = {},
  ): Promise<any> {
    const answer = await this.rpc(
      options.address ?? ADDRESSES.helper,
      'SendMessage',
      { message: newMessage(message), configuration: { returnImmediately: true, ...options.configuration } },
      options,
    );
    if (answer.status !== 200 || !answer.body.result)
      throw new Error(`send failed: ${answer.status} ${answer.text}`);
    return answer.body.result.task;
  }

  async getTask(
    id: string,
    options: CallOptions & { address?: string; historyLength?: number } = {},
  ): Promise<any> {
    const { historyLength } = options;
    const answer = await this.rpc(
      options.address ?? ADDRESSES.helper,
      'GetTask',
      { id, historyLength },
      options,
    );
    if (!answer.body.result) throw new Error(`GetTask failed: ${answer.status} ${answer.text}`);
    return answer.body.result;
  }
}

let counter = 0;

/** A message that nobody has sent before. */
export function newMessage(members: object = {}): Record<string, unknown> {
  counter += 1;
  return {
    messageId: `m-${process.pid}-${counter}`,
    role: 'ROLE_USER',
    parts: [{ text: `hello ${counter}` }],
    ...members,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Waits until a condition holds; fails after a deadline, naming it. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = 60_000,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
