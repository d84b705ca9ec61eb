import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { TranscriptLink } from './transcript-link.js';
import type { Names } from './transcript-names.js';
import type { Act, TestedSide } from './transcript-runner.js';

const PATIENCE_MS = 60_000;

export const TOKEN = 'rt_of-a-transcript';

/** A daemon as its owner handles it. */
export interface TestedDaemon {
  start(url: string): Promise<void>;
  /** Takes no more jobs and stops when those at work have ended. */
  drain?(): void;
  /** Ends the daemon and starts it again on the same files. */
  restart(url: string): Promise<void>;
  /** Settles with the reason why it gave up. */
  ended?(): Promise<string>;
  stop(): Promise<void>;
}

/** A daemon under test: the runner accepts its links in the place of the API. */
export class DaemonSide implements TestedSide {
  readonly side = 'daemon';
  private readonly arrived: WebSocket[] = [];
  private accepted = 0;
  private started = false;

  private constructor(
    private readonly server: WebSocketServer,
    private readonly daemon: TestedDaemon,
  ) {
    server.on('connection', (socket: WebSocket) => {
      this.arrived.push(socket);
      // Frames that come before the runner asks for the link must wait for it.
      socket.pause();
      server.emit('link');
    });
  }

  static async open(daemon: TestedDaemon): Promise<DaemonSide> {
    const server = new WebSocketServer({
      port: 0,
      host: '127.0.0.1',
      perMessageDeflate: false,
      verifyClient: ({ req }: { req: IncomingMessage }) => req.headers.authorization === `Bearer ${TOKEN}`,
      handleProtocols: (offered) => (offered.has('hello.relay.v1') ? 'hello.relay.v1' : false),
    });
    await once(server, 'listening');
    return new DaemonSide(server, daemon);
  }

  async connect(): Promise<TranscriptLink> {
    if (!this.started) {
      this.started = true;
      await this.daemon.start(this.url);
    }
    const signal = AbortSignal.timeout(PATIENCE_MS);
    while (this.arrived.length <= this.accepted) await once(this.server, 'link', { signal });
    const socket = this.arrived[this.accepted++] as WebSocket;
    const link = new TranscriptLink(socket);
    socket.resume();
    return link;
  }

  async act(step: Act, _names: Names): Promise<void> {
    if (!('owner' in step)) return;
    if (step.owner === 'drains') this.daemon.drain?.();
    else await this.daemon.restart(this.url);
  }

  async endReason(): Promise<string> {
    const reason = await this.daemon.ended?.();
    if (this.arrived.length > this.accepted) throw new Error('the daemon came back');
    return reason ?? 'not told';
  }

  async close(): Promise<void> {
    await this.daemon.stop();
    for (const socket of this.server.clients) socket.terminate();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}/relay`;
  }
}
