import { Logger } from '@nestjs/common';
import { describeError, traced } from '../common/index.js';
import {
  type CallOptions,
  type JsonRpcPeer,
  type MethodHandler,
  deltaParams,
  jobReport,
  joinPeers,
  readParams,
} from '../relay-protocol/index.js';
import type { TaskReports } from '../tasks/index.js';
import { CallLine } from './call-line.js';
import type { JobLink } from './job-link.js';
import { toTaskReport } from './job-report.mapper.js';

/** A daemon of this process never has more updates on their way than this; past it something is wrong. */
const UPDATES_AT_ONCE = 1_000;

export interface LocalLinkParts {
  computerId: string;
  /** What the daemon answers. */
  methods: Record<string, MethodHandler>;
  reports: TaskReports;
  /** Requests that the daemon may leave unanswered; the next ones wait in line. */
  maxInFlight: number;
}

/** The conversation with a daemon of this process: the frames of docs/relay-protocol.md without a socket and a hello. */
export class LocalLink implements JobLink {
  /** The daemon's side. */
  readonly peer: JsonRpcPeer;
  private readonly own: JsonRpcPeer;
  private readonly line: CallLine;
  private readonly over = new AbortController();
  private draining = false;

  constructor(private readonly parts: LocalLinkParts) {
    const logger = new Logger('Relay');
    const onHandlerError = (method: string, error: unknown) =>
      logger.error({ msg: 'a request failed', ...this.about, method, error: describeError(error) });
    this.line = new CallLine(parts.maxInFlight);
    const { left, right } = joinPeers(
      {
        maxInFlight: parts.maxInFlight,
        onHandlerError,
        methods: {
          'job.updated': (params) => this.takeUpdate(params),
          'job.delta': async (params) => this.takeDelta(params),
        },
      },
      { maxInFlight: UPDATES_AT_ONCE, onHandlerError, methods: parts.methods },
    );
    this.own = left;
    this.peer = right;
  }

  get about(): { computerId: string } {
    return { computerId: this.parts.computerId };
  }

  get ended(): AbortSignal {
    return this.over.signal;
  }

  get isDurable(): boolean {
    return !this.over.signal.aborted;
  }

  get takesJobs(): boolean {
    return this.isDurable && !this.draining;
  }

  /** Offers the daemon no more jobs; what it says is still taken over. */
  drain(): void {
    this.draining = true;
  }

  close(): void {
    this.over.abort();
    this.line.close();
    this.own.close();
    this.peer.close();
  }

  call<R>(method: string, params: object, options: CallOptions<R>): Promise<R> {
    const send = () =>
      this.line.run(options.timeoutMs / 2, (waitedMs) =>
        this.own.call(method, params, { ...options, timeoutMs: options.timeoutMs - waitedMs }),
      );
    return traced(`relay ${method}`, { kind: 'client' }, send);
  }

  /** Acknowledged only after the commit; a failure to store is an error answer, so that the daemon repeats it (R4). */
  private async takeUpdate(params: unknown): Promise<object> {
    const job = readParams(jobReport, params);
    const outcome = await this.parts.reports.take(this.parts.computerId, toTaskReport(job));
    return { acknowledged: job.revision, ...(outcome.kind === 'unknown' && { known: false }) };
  }

  private takeDelta(params: unknown): object {
    const { jobId, sequence, text } = readParams(deltaParams, params);
    this.parts.reports.takePartial(this.parts.computerId, { taskId: jobId, sequence, text });
    return {};
  }
}
