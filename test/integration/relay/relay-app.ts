import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Controller, Get, Global, type INestApplication, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { WebSocket, type ClientOptions } from 'ws';
import {
  Clock,
  IdGenerator,
  LoginFailures,
  SystemClock,
  UuidGenerator,
  hashSecret,
} from '../../../src/common/index.js';
import { AgentDirectory, type Computer, DirectoryEvents } from '../../../src/directory/index.js';
import {
  RelayGatewayModule,
  RelaySessions,
  RelaySessionsModule,
  RelaySettings,
} from '../../../src/relay/index.js';
import {
  JobExecutor,
  type ReportOutcome,
  type Task,
  TaskRefresher,
  type TaskReport,
  TaskReports,
} from '../../../src/tasks/index.js';

/** Computers and their tokens, in memory. */
export class FakeDirectory implements Pick<
  AgentDirectory,
  'findComputerByRelayToken' | 'findComputer' | 'recordSeen'
> {
  readonly tokens = new Map<string, string>();
  readonly seen: string[] = [];
  failing = false;
  lookUp: () => Promise<void> = async () => undefined;

  async findComputerByRelayToken(token: string): Promise<Computer | undefined> {
    await this.lookUp();
    if (this.failing) throw new Error('no database');
    const found = [...this.tokens].find(([, known]) => known === token);
    return found && { id: found[0], accountId: 'owner' };
  }

  async findComputer(id: string): Promise<(Computer & { relayTokenHash: string }) | undefined> {
    const token = this.tokens.get(id);
    return token === undefined ? undefined : { id, accountId: 'owner', relayTokenHash: hashSecret(token) };
  }

  async recordSeen(computerId: string): Promise<void> {
    this.seen.push(computerId);
  }
}

export class FakeReports implements Pick<TaskReports, 'take'> {
  readonly taken: { computerId: string; report: TaskReport }[] = [];
  answer: (report: TaskReport) => Promise<ReportOutcome> = async () => ({
    kind: 'applied',
    task: {} as Task,
  });

  take(computerId: string, report: TaskReport): Promise<ReportOutcome> {
    this.taken.push({ computerId, report });
    return this.answer(report);
  }
}

export class FakeRefresher implements Pick<TaskRefresher, 'reconcile'> {
  readonly asked: string[] = [];

  async reconcile(computerId: string): Promise<number> {
    return this.asked.push(computerId);
  }
}

@Controller()
class PingController {
  @Get('ping')
  ping(): string {
    return 'pong';
  }
}

export interface RelayApp {
  app: INestApplication;
  httpUrl: string;
  url: string;
  port: number;
  directory: FakeDirectory;
  reports: FakeReports;
  refresher: FakeRefresher;
  sessions: RelaySessions;
  directoryEvents: DirectoryEvents;
  executor: JobExecutor;
}

const DEFAULTS: RelaySettings = {
  path: '/relay',
  heartbeatMs: 20_000,
  submitTimeoutMs: 60_000,
  statusTimeoutMs: 60_000,
  cancelTimeoutMs: 60_000,
  maxInFlight: 64,
};

/** The relay inside a real application on a port of its own; only the store and the directory are doubles. */
export async function startRelay(settings: Partial<RelaySettings> = {}): Promise<RelayApp> {
  const directory = new FakeDirectory();
  const reports = new FakeReports();
  const refresher = new FakeRefresher();
  const globals = [
    { provide: TaskReports, useValue: reports },
    { provide: TaskRefresher, useValue: refresher },
    { provide: RelaySettings, useValue: { ...DEFAULTS, ...settings } },
    { provide: Clock, useClass: SystemClock },
    { provide: LoginFailures, useValue: new LoginFailures(1_000, new SystemClock()) },
    { provide: IdGenerator, useClass: UuidGenerator },
    { provide: AgentDirectory, useValue: directory },
    DirectoryEvents,
  ];

  @Global()
  @Module({ providers: globals, exports: globals })
  class Globals {}

  const testing = await Test.createTestingModule({
    imports: [Globals, RelaySessionsModule, RelayGatewayModule.register({ imports: [RelaySessionsModule] })],
    controllers: [PingController],
  }).compile();
  const app = testing.createNestApplication({ logger: false });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const relay: RelayApp = {
    app,
    port,
    httpUrl: `http://127.0.0.1:${port}`,
    url: `ws://127.0.0.1:${port}/relay`,
    directory,
    reports,
    refresher,
    sessions: app.get(RelaySessions, { strict: false }),
    directoryEvents: app.get(DirectoryEvents, { strict: false }),
    executor: app.get(JobExecutor, { strict: false }),
  };
  directory.tokens.set('computer-1', 'rt_one');
  return relay;
}

export interface Closing {
  code: number;
  reason: string;
}

type Params = Record<string, unknown>;
type JobMethod = (params: Params, id: number) => object | undefined;

/** A daemon at the other end of a real socket, which answers as the test says. */
export class TestDaemon {
  readonly closed: Promise<Closing>;
  readonly requests: { id: number; method: string; params: Params }[] = [];
  /** By method: the `result` or `error` to answer with; nothing for no answer. */
  readonly methods: Record<string, JobMethod> = {};
  private readonly answers = new Map<string | number, (frame: Params) => void>();
  private nextId = 1;

  constructor(readonly socket: WebSocket) {
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    });
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => this.receive(JSON.parse(data.toString()) as Params));
  }

  send(frame: unknown): void {
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  /** Sends a request and resolves with the whole answer. */
  request(method: string, params: object): Promise<{ result?: Params; error?: Params }> {
    const id = this.nextId++;
    const answer = new Promise<Params>((resolve) => this.answers.set(id, resolve));
    this.send({ jsonrpc: '2.0', id, method, params });
    return answer;
  }

  private receive(frame: Params): void {
    if (frame['method'] === undefined) {
      this.answers.get(frame['id'] as number)?.(frame);
      return;
    }
    const { id, method, params } = frame as { id: number; method: string; params: Params };
    this.requests.push({ id, method, params });
    const answer = this.methods[method]?.(params, id);
    if (answer) this.send({ jsonrpc: '2.0', id, ...answer });
  }
}

export const HELLO = {
  protocol: 1,
  daemon: { name: 'test', version: '1', instanceId: 'instance-1' },
  capabilities: ['durable-a2a-v1'],
  agents: ['helper'],
};

export async function connect(
  { url }: Pick<RelayApp, 'url'>,
  token = 'rt_one',
  options: ClientOptions = {},
): Promise<TestDaemon> {
  const socket = new WebSocket(url, 'hello.relay.v1', {
    headers: { authorization: `Bearer ${token}` },
    ...options,
  });
  const daemon = new TestDaemon(socket);
  await once(socket, 'open');
  return daemon;
}

/** A daemon that has introduced itself. */
export async function greet(
  relay: Pick<RelayApp, 'url'>,
  {
    token = 'rt_one',
    hello = {},
    options = {},
  }: { token?: string; hello?: object; options?: ClientOptions } = {},
): Promise<TestDaemon> {
  const daemon = await connect(relay, token, options);
  const { result } = await daemon.request('relay.hello', { ...HELLO, ...hello });
  if (!result) throw new Error('the relay did not take the hello');
  return daemon;
}

/** Waits for a condition; fails after a minute. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`did not happen in time: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export function update(jobId: string, revision = 1, more: object = {}): object {
  return { jobId, state: 'running', revision, updatedAt: '2026-01-02T03:04:05.678Z', ...more };
}
