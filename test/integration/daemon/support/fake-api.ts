import { EventEmitter, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import {
  DURABLE_CAPABILITY,
  JsonRpcPeer,
  SUBPROTOCOL,
  deltaParams,
  helloParams,
  jobReport,
  readParams,
  statusResult,
  submitResult,
  type DeltaParams,
  type HelloParams,
  type JobReport,
  type SubmitParams,
  type SubmitResult,
} from '../../../../src/relay-protocol/index.js';

const DEADLINE_MS = 60_000;

export interface FakeApiBehavior {
  token: string;
  capabilities: string[];
  heartbeatMs: number;
  maxFrameBytes: number;
  /** The answer to an update; `undefined` leaves it unanswered. */
  acknowledge: (report: JobReport) => object | undefined | Promise<object | undefined>;
  onHello?: (session: FakeSession) => void;
}

/** The API's end of one link. */
export class FakeSession {
  readonly peer: JsonRpcPeer;
  hello: HelloParams | undefined;
  closed: { code: number; reason: string } | undefined;

  constructor(
    readonly socket: WebSocket,
    api: FakeApi,
  ) {
    this.peer = new JsonRpcPeer({
      send: (text) => {
        socket.send(text);
        return true;
      },
      maxInFlight: 1000,
      onHandlerError: (method, error) => {
        throw new Error(`${method} failed`, { cause: error });
      },
      methods: api.methodsFor(this),
    });
  }

  submit(order: SubmitParams): Promise<SubmitResult> {
    return this.peer.call('job.submit', order, { timeoutMs: DEADLINE_MS, result: submitResult });
  }

  async status(...jobIds: string[]): Promise<(JobReport | { jobId: string; state: 'unknown' })[]> {
    const answer = await this.peer.call(
      'job.status',
      { jobIds },
      { timeoutMs: DEADLINE_MS, result: statusResult },
    );
    return answer.jobs;
  }

  cancel(jobId: string): Promise<JobReport> {
    return this.peer.call('job.cancel', { jobId }, { timeoutMs: DEADLINE_MS, result: jobReport });
  }

  input(jobId: string, text: string, messageId: string): Promise<JobReport> {
    const message = { messageId, text };
    return this.peer.call('job.input', { jobId, message }, { timeoutMs: DEADLINE_MS, result: jobReport });
  }
}

/** A relay that does what a test tells it, over real sockets. */
export class FakeApi {
  readonly sessions: FakeSession[] = [];
  readonly updates: JobReport[] = [];
  readonly deltas: DeltaParams[] = [];
  drainingNotices = 0;
  upgrades = 0;
  readonly url: string;
  private readonly changed = new EventEmitter().setMaxListeners(0);

  private constructor(
    private readonly server: WebSocketServer,
    readonly behavior: FakeApiBehavior,
  ) {
    this.url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/relay`;
  }

  static async start(changes: Partial<FakeApiBehavior> = {}): Promise<FakeApi> {
    const behavior: FakeApiBehavior = {
      token: 'rt_test',
      capabilities: [DURABLE_CAPABILITY],
      heartbeatMs: 20_000,
      maxFrameBytes: 2 * 1024 * 1024,
      acknowledge: (report) => ({ acknowledged: report.revision }),
      ...changes,
    };
    const made: { api?: FakeApi } = {};
    const server = new WebSocketServer({
      port: 0,
      host: '127.0.0.1',
      maxPayload: 2 * 1024 * 1024,
      verifyClient: ({ req }: { req: IncomingMessage }, answer: (ok: boolean, code?: number) => void) =>
        answer(made.api?.admits(req) ?? false, 401),
      handleProtocols: (protocols) => (protocols.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
    });
    await once(server, 'listening');
    const api = new FakeApi(server, behavior);
    made.api = api;
    server.on('connection', (socket) => api.accept(socket));
    return api;
  }

  /** Waits until a look at what happened so far gives something. */
  async until<T>(what: string, look: () => T | undefined | false): Promise<T> {
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    for (;;) {
      const seen = look();
      if (seen !== undefined && seen !== false) return seen;
      await once(this.changed, 'change', { signal: deadline }).catch(() => {
        throw new Error(
          `${what} did not happen in time; updates: ${JSON.stringify(this.updates).slice(0, 2000)}`,
        );
      });
    }
  }

  /** The session with the n-th hello, counted from 1. */
  session(n = 1): Promise<FakeSession> {
    return this.until(`hello ${n}`, () => this.sessions.filter((session) => session.hello)[n - 1]);
  }

  update(jobId: string, state: JobReport['state']): Promise<JobReport> {
    return this.until(`${jobId} ${state}`, () =>
      this.updates.find((report) => report.jobId === jobId && report.state === state),
    );
  }

  note(): void {
    this.changed.emit('change');
  }

  async stop(): Promise<void> {
    for (const socket of this.server.clients) socket.terminate();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  methodsFor(session: FakeSession): Record<string, (params: unknown) => Promise<object>> {
    return {
      'relay.hello': async (params) => {
        session.hello = readParams(helloParams, params);
        this.behavior.onHello?.(session);
        setImmediate(() => this.note());
        const { capabilities, heartbeatMs, maxFrameBytes } = this.behavior;
        return {
          sessionId: 's',
          capabilities,
          heartbeatMs,
          maxFrameBytes,
          serverTime: new Date().toISOString(),
        };
      },
      'relay.draining': async () => {
        this.drainingNotices += 1;
        this.note();
        return {};
      },
      'job.updated': async (params) => {
        const report = readParams(jobReport, params);
        this.updates.push(report);
        this.note();
        return (await this.behavior.acknowledge(report)) ?? new Promise<never>(() => undefined);
      },
      'job.delta': async (params) => {
        this.deltas.push(readParams(deltaParams, params));
        this.note();
        return {};
      },
    };
  }

  private admits(request: IncomingMessage): boolean {
    this.upgrades += 1;
    this.note();
    return request.headers.authorization === `Bearer ${this.behavior.token}`;
  }

  private accept(socket: WebSocket): void {
    const session = new FakeSession(socket, this);
    this.sessions.push(session);
    socket.on('message', (data) => session.peer.receive((data as Buffer).toString('utf8')));
    socket.on('error', () => undefined);
    socket.on('close', (code, reason) => {
      session.closed = { code, reason: reason.toString() };
      session.peer.close();
      this.note();
    });
  }
}
