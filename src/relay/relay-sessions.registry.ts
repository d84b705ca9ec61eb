import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { describeError } from '../common/index.js';
import { DirectoryEvents } from '../directory/index.js';
import { CloseCode } from '../relay-protocol/index.js';
import { RelayAuthenticator } from './relay-authenticator.service.js';
import type { JobLink } from './job-link.js';
import type { RelaySession } from './relay-session.js';

/** How long the shutdown waits for daemons to take note. */
const GOODBYE_MS = 2_500;
const CHECKS_AT_ONCE = 50;

type ConnectedListener = (computerId: string) => void;

/**
 * The sockets of this process: every authenticated one, and for each computer the one session that is live.
 * The only state that one process has for itself alone.
 */
@Injectable()
export class RelaySessions implements OnModuleDestroy, OnModuleInit {
  private readonly logger = new Logger('Relay');
  private readonly open = new Set<RelaySession>();
  private readonly live = new Map<string, RelaySession>();
  /** Computers that need no socket, since they are this process. */
  private readonly local = new Map<string, JobLink>();
  private readonly listeners = new Set<ConnectedListener>();
  private unsubscribe: (() => void) | undefined;
  private state: 'starting' | 'listening' | 'stopped' = 'starting';

  constructor(
    private readonly authenticator: RelayAuthenticator,
    private readonly directoryEvents: DirectoryEvents,
  ) {}

  onModuleInit(): void {
    this.unsubscribe = this.directoryEvents.onReloaded(() => void this.revalidate());
  }

  /** Whether daemons can connect; part of readiness (O2). */
  get listening(): boolean {
    return this.state === 'listening';
  }

  get stopped(): boolean {
    return this.state === 'stopped';
  }

  /** How many links there are, and of how many computers; for metrics. */
  get counts(): { open: number; live: number } {
    return { open: this.open.size, live: this.live.size };
  }

  /** The live link of a computer. */
  find(computerId: string): JobLink | undefined {
    return this.local.get(computerId) ?? this.live.get(computerId);
  }

  /** Ids of the computers that can be asked about their jobs now. */
  connectedComputers(): string[] {
    return [...this.live, ...this.local]
      .filter(([, link]) => link.isDurable)
      .map(([computerId]) => computerId);
  }

  /**
   * Adds a computer of this process; no socket can take its place.
   * @returns removes it
   */
  addLocal(computerId: string, link: JobLink): () => void {
    this.local.set(computerId, link);
    return () => this.local.delete(computerId);
  }

  /**
   * Calls the listener whenever a computer that can hold jobs has connected.
   * @returns a function that ends it
   */
  onConnected(listener: ConnectedListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Closes what a revoked token has opened (R1). Runs by itself when the directory was loaded anew. */
  async revalidate(): Promise<void> {
    const sessions = [...this.open];
    for (let start = 0; start < sessions.length; start += CHECKS_AT_ONCE) {
      await Promise.all(sessions.slice(start, start + CHECKS_AT_ONCE).map((session) => this.check(session)));
    }
  }

  /** @internal for the gateway */
  markListening(): void {
    if (this.state === 'starting') this.state = 'listening';
  }

  /**
   * Takes a new socket into account. Its token is looked at once more, because it may have been revoked after
   * the upgrade had asked and before the socket could be found here.
   * @internal for the gateway
   */
  add(session: RelaySession): void {
    this.open.add(session);
    void this.check(session);
  }

  /**
   * Makes a session the live one of its computer; an earlier one is closed (R3).
   * @internal for the gateway
   */
  admit(session: RelaySession): void {
    const { computerId } = session.identity;
    const earlier = this.live.get(computerId);
    this.live.set(computerId, session);
    earlier?.close(CloseCode.replaced, `instance ${session.about.instanceId ?? 'unknown'} took over`);
    if (!session.isDurable) return;
    for (const listener of this.listeners) listener(computerId);
  }

  /**
   * Forgets a session that has ended; one that took its place stays (B126).
   * @internal for the gateway
   */
  remove(session: RelaySession): void {
    this.open.delete(session);
    const { computerId } = session.identity;
    if (this.live.get(computerId) === session) this.live.delete(computerId);
  }

  /** Tells daemons to come back later (R8). Runs while sockets and database are still up. */
  async onModuleDestroy(): Promise<void> {
    this.state = 'stopped';
    this.unsubscribe?.();
    const sessions = [...this.open];
    for (const session of sessions) session.close(CloseCode.restart, 'the service restarts');
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, GOODBYE_MS);
    });
    await Promise.race([Promise.all(sessions.map((session) => session.closed)), patience]);
    clearTimeout(timer);
  }

  /**
   * Closes the session if its token opens its computer no more.
   * @internal for the gateway
   */
  async check(session: RelaySession): Promise<void> {
    try {
      if (await this.authenticator.stillAdmits(session.identity)) return;
      session.close(CloseCode.revoked, 'the relay token was revoked');
    } catch (error) {
      // Being unable to ask is no reason to cut off a computer that was let in.
      this.logger.error({
        msg: 'a relay token could not be checked',
        ...session.about,
        error: describeError(error),
      });
    }
  }
}
