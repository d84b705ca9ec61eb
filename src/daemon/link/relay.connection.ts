import { setTimeout as pause } from 'node:timers/promises';
import { CloseCode } from '../../relay-protocol/index.js';
import { Backoff } from './backoff.js';
import { decide, type Decision, type FatalReason, type LinkEnd } from './link-end.js';
import { RelaySession, type SessionOptions } from './relay.session.js';

export interface ConnectionOptions extends SessionOptions {
  /** A link has ended; called before the next one is opened. */
  onEnded: (end: LinkEnd) => Promise<void>;
  /** The connection ended for good. */
  onFatal: (reason: FatalReason, message: string) => void;
  backoff?: Backoff;
}

/** A link that held this long counts as healthy: the next pauses start small again. */
const HEALTHY_MS = 10_000;

/** Keeps one link to the API, one after another and never two, until told to stop or refused for good. */
export class RelayConnection {
  private readonly stopping = new AbortController();
  private readonly backoff: Backoff;
  private session: RelaySession | undefined;
  private working: Promise<void> | undefined;

  constructor(private readonly options: ConnectionOptions) {
    this.backoff = options.backoff ?? new Backoff();
  }

  start(): void {
    this.working ??= this.keepConnected();
  }

  /** Tells the API, if it is connected, that no more jobs are taken. */
  announceDraining(): void {
    this.session?.peer.notify('relay.draining', {});
  }

  /** Ends the link and connects no more. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.session?.close(CloseCode.goingAway, 'the daemon stops');
    await this.working;
  }

  private async keepConnected(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const decision = await this.connectOnce();
      if (this.stopping.signal.aborted) return;
      if (decision.kind === 'stop') {
        this.options.logger.error(decision.message);
        this.options.onFatal(decision.reason, decision.message);
        return;
      }
      const delayMs = decision.kind === 'at_once' ? this.backoff.afterRestart() : this.backoff.next();
      this.options.logger.info('Connecting again', { delayMs });
      await pause(delayMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  private async connectOnce(): Promise<Decision> {
    let readyAt: number | undefined;
    this.session = new RelaySession({
      ...this.options,
      onReady: (session, hello) => {
        readyAt = performance.now();
        this.options.onReady(session, hello);
      },
    });
    const end = await this.session.end;
    this.session = undefined;
    if (readyAt !== undefined && performance.now() - readyAt >= HEALTHY_MS) this.backoff.reset();
    this.options.logger.warn('The link to the API ended', { ...end });
    await this.options.onEnded(end);
    return decide(end, this.options.daemon.instanceId);
  }
}
