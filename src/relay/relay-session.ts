import { Logger } from '@nestjs/common';
import type { z } from 'zod';
import { describeError, traced } from '../common/index.js';
import {
  type CallOptions,
  CloseCode,
  DURABLE_CAPABILITY,
  JsonRpcPeer,
  MAX_FRAME_BYTES,
  type MethodHandler,
  NotSentError,
  type PeerOptions,
  deltaParams,
  jobReport,
  readParams,
  refusal,
} from '../relay-protocol/index.js';
import { CallLine } from './call-line.js';
import { FrameBudget } from './frame-budget.js';
import { type Greeting, readGreeting, welcome } from './greeting.js';
import type { JobLink } from './job-link.js';
import { toTaskReport } from './job-report.mapper.js';
import type { RelayIdentity } from './relay-authenticator.service.js';
import { type LinkOwner, type LinkSocket, RelayLink } from './relay-link.js';
import type { SessionServices } from './session-services.js';
import { WorkGate } from './work-gate.js';

/** Updates of one session that are on their way to the store at once. */
const UPDATES_AT_ONCE = 64;
/** A daemon that leaves at most so many updates unacknowledged is never told that it talks too much. */
const UNACKNOWLEDGED_WINDOW = 64;

export interface SessionEvents {
  /** The daemon has introduced itself, and the result is on its way. */
  onReady(session: RelaySession): void;
  onAlive(session: RelaySession): void;
  /** Called once; from then on every call fails and unanswered ones are uncertain. */
  onEnd(session: RelaySession, code: number, reason: string): void;
}

const logger = new Logger('Relay');

/**
 * The conversation with one daemon over one socket, from the upgrade to the end (docs/relay-protocol.md). There may be ten thousand
 * that are silent: it is itself what its parts report to, since functions made for each session would be most of its memory.
 */
export class RelaySession implements JobLink, LinkOwner, PeerOptions {
  readonly id: string;
  private readonly link: RelayLink;
  private readonly peer: JsonRpcPeer;
  private readonly budget = new FrameBudget();
  private readonly updates: WorkGate;
  private readonly line: CallLine;
  private helloTimer: NodeJS.Timeout | undefined;
  /** Of the greeting, which is not kept as a whole; absent before it. */
  private instanceId: string | undefined;
  private agreedOnDurable = false;
  private draining = false;
  /** What the frame that is being read cost. */
  private frameCost = 0;

  constructor(
    readonly identity: RelayIdentity,
    socket: LinkSocket,
    private readonly services: SessionServices,
    private readonly events: SessionEvents,
  ) {
    this.id = services.ids.next();
    services.statistics.opened += 1;
    this.link = new RelayLink(socket, services.heartbeats, this);
    this.updates = new WorkGate(UPDATES_AT_ONCE, this.link);
    this.line = new CallLine(services.settings.maxInFlight);
    this.peer = new JsonRpcPeer(this);
    this.helloTimer = setTimeout(
      () => this.close(CloseCode.noHello, 'no relay.hello in time'),
      services.helloTimeoutMs,
    );
    this.helloTimer.unref();
  }

  /** What a log line says of the session; no secret, no text. */
  get about(): { computerId: string; sessionId: string; instanceId?: string } {
    const { instanceId } = this;
    return {
      computerId: this.identity.computerId,
      sessionId: this.id,
      ...(instanceId === undefined ? {} : { instanceId }),
    };
  }

  get closed(): Promise<void> {
    return this.link.closed;
  }

  get hasGreeted(): boolean {
    return this.instanceId !== undefined;
  }

  /** Whether durable jobs can be spoken about: agreed in the first exchange, and still connected (R2). */
  get isDurable(): boolean {
    return !this.link.ended && this.agreedOnDurable;
  }

  get takesJobs(): boolean {
    return this.isDurable && !this.draining;
  }

  /**
   * @throws NotSentError when the request was certainly not written
   * @throws UnansweredError when its fate is not known
   * @throws RefusedError when the daemon says no
   */
  async call<R>(method: string, params: object, options: CallOptions<R>): Promise<R> {
    // Half of the time at most is spent waiting for a place: what is written needs time to be answered, or a job that
    // could have been refused for certain would end as uncertain.
    const send = () =>
      this.line.run(options.timeoutMs / 2, async (waitedMs) => {
        if (this.link.congested) throw new NotSentError('the daemon is behind with reading');
        return this.peer.call(method, params, { ...options, timeoutMs: options.timeoutMs - waitedMs });
      });
    return this.services.statistics.measure(method, () =>
      traced(`relay ${method}`, { kind: 'client' }, send),
    );
  }

  close(code: CloseCode, reason: string): void {
    this.link.close(code, reason);
  }

  /** @internal for the peer: writes one frame */
  send(text: string): boolean {
    return this.link.send(text);
  }

  /** @internal for the peer */
  get maxInFlight(): number {
    return this.services.settings.maxInFlight;
  }

  /** @internal for the peer: what a daemon may ask */
  get methods(): Record<string, MethodHandler> {
    return {
      'relay.hello': async () => this.refuseSecondHello(),
      'relay.draining': async () => this.drain(),
      'job.updated': (params) => this.takeUpdate(params),
      'job.delta': async (params) => this.takeDelta(params),
    };
  }

  /** @internal for the peer */
  onHandlerError(method: string, error: unknown): void {
    logger.error({ msg: 'a request of a daemon failed', ...this.about, method, error: describeError(error) });
  }

  /** @internal for the link */
  onAlive(): void {
    this.events.onAlive(this);
  }

  /** @internal for the link */
  onText(text: string): void {
    const cost = this.budget.spend(text.length);
    if (cost === undefined) {
      this.close(CloseCode.tooManyFrames, 'too many frames');
      return;
    }
    if (!this.hasGreeted) {
      this.greet(text);
      return;
    }
    this.frameCost = cost;
    const unanswered = this.peer.inFlight;
    if (!this.peer.receive(text)) this.close(CloseCode.badFrame, 'not a JSON-RPC 2.0 frame');
    else if (this.peer.inFlight < unanswered) this.budget.payBack(cost);
  }

  /** Not through the peer: the result must be on its way before anything else is sent. */
  private greet(text: string): void {
    const greeting: Greeting = readGreeting(text);
    if (greeting.kind === 'bad') {
      this.close(greeting.code, greeting.reason);
      return;
    }
    this.endHelloTimer();
    const { daemon, capabilities } = greeting.params;
    this.instanceId = daemon.instanceId;
    this.agreedOnDurable = capabilities.includes(DURABLE_CAPABILITY);
    const { settings, clock } = this.services;
    this.link.send(
      welcome(greeting, {
        sessionId: this.id,
        heartbeatMs: settings.heartbeatMs,
        maxFrameBytes: MAX_FRAME_BYTES,
        serverTime: new Date(clock.now()).toISOString(),
      }),
    );
    this.events.onReady(this);
  }

  private refuseSecondHello(): never {
    this.close(CloseCode.badFrame, 'relay.hello was said before');
    throw refusal('protocol', 'relay.hello was said before');
  }

  private drain(): object {
    this.draining = true;
    logger.log({ msg: 'daemon takes no more jobs', ...this.about });
    return {};
  }

  /** Acknowledged only after the commit; a failure to store is an error answer, so that the daemon repeats it (R4). */
  private async takeUpdate(params: unknown): Promise<object> {
    const arrivedAtMs = performance.now();
    const cost = this.frameCost;
    const inWindow = this.updates.size < UNACKNOWLEDGED_WINDOW;
    const job = this.check(jobReport, params, 'job.updated');
    const outcome = await this.updates.run(() => {
      if (this.link.ended) throw refusal('closed', 'the session has ended');
      return this.services.reports.take(this.identity.computerId, toTaskReport(job));
    });
    this.services.statistics.acknowledgeSeconds.observe((performance.now() - arrivedAtMs) / 1000);
    if (inWindow || outcome.kind === 'applied') this.budget.payBack(cost);
    if (outcome.kind === 'unknown') return { acknowledged: job.revision, known: false };
    return { acknowledged: job.revision };
  }

  private takeDelta(params: unknown): object {
    const { jobId, sequence, text } = this.check(deltaParams, params, 'job.delta');
    this.services.reports.takePartial(this.identity.computerId, { taskId: jobId, sequence, text });
    return {};
  }

  private check<T>(schema: z.ZodType<T>, params: unknown, method: string): T {
    try {
      return readParams(schema, params);
    } catch (error) {
      logger.warn({
        msg: 'a daemon sent wrong parameters',
        ...this.about,
        method,
        error: describeError(error),
      });
      throw error;
    }
  }

  /** @internal for the link */
  onEnd(code: number, reason: string): void {
    this.endHelloTimer();
    this.services.statistics.recordEnd(code);
    this.line.close();
    this.peer.close();
    this.events.onEnd(this, code, reason);
  }

  /** A timer that is over would still hold memory. */
  private endHelloTimer(): void {
    clearTimeout(this.helloTimer);
    this.helloTimer = undefined;
  }
}
