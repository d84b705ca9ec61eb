import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import type { RawData, WebSocket } from 'ws';
import { describeError } from '../common/index.js';
import { CloseCode, MAX_FRAME_BYTES } from '../relay-protocol/index.js';
import { closeReason } from './close-reason.js';
import type { Beating, Heartbeats } from './heartbeats.js';

/** Past this, the API offers nothing more until the daemon has read what was sent. */
const CONGESTED_BYTES = 2 * 1024 * 1024;
/** Past this, the daemon does not read at all, and the link is of no use. */
const MAX_SEND_BUFFER_BYTES = 8 * 1024 * 1024;
/** How long a closing handshake may take before the socket is cut. */
const CLOSE_PATIENCE_MS = 2_000;
const ABNORMAL = 1006;

/** WebSocket libraries refuse a frame that is too large by themselves, and close without a text. */
const OVER_LIMIT = `a frame over ${MAX_FRAME_BYTES / 1024 / 1024} MiB`;
const OVER_LIMIT_OF_DAEMON = 'a frame was too large for the daemon';

export interface LinkOwner {
  onText(text: string): void;
  /** Called once, as soon as the link is of no more use; nothing is received or sent from then on. */
  onEnd(code: number, reason: string): void;
  /** Called at a heartbeat that finds the other side alive. */
  onAlive(): void;
}

export interface LinkSocket {
  socket: WebSocket;
  stream: LinkStream;
}

/** What carries the socket: counts the bytes that have arrived so far, control frames included, and holds back what is written. */
export type LinkStream = Pick<Socket, 'bytesRead' | 'cork' | 'uncork'>;

const logger = new Logger('Relay');

/** One socket: text frames in and out, heartbeat, and an end that is noticed exactly once. */
export class RelayLink implements Beating {
  private readonly socket: WebSocket;
  private readonly stream: LinkStream;
  private isHolding = false;
  /** Those with which it beats. */
  private readonly beating: Set<Beating>;
  private hasEnded = false;
  private isGone = false;
  private paused = false;
  /** Bytes that had arrived at the last ping; absent when silence says nothing. */
  private bytesAtPing: number | undefined;

  constructor(
    { socket, stream }: LinkSocket,
    heartbeats: Heartbeats,
    private readonly owner: LinkOwner,
  ) {
    this.socket = socket;
    this.stream = stream;
    socket.on('close', (code, reason) => {
      this.isGone = true;
      const isMute = code === CloseCode.frameTooLarge && reason.length === 0;
      this.end(code, isMute ? OVER_LIMIT_OF_DAEMON : reason.toString());
    });
    socket.on('message', (data, isBinary) => this.receive(data, isBinary));
    socket.on('error', (error) => this.fail(error));
    this.beating = heartbeats.add(this);
  }

  /** Resolves when the socket itself is gone. */
  get closed(): Promise<void> {
    if (this.isGone) return Promise.resolve();
    return new Promise((resolve) => this.socket.once('close', () => resolve()));
  }

  get ended(): boolean {
    return this.hasEnded;
  }

  get congested(): boolean {
    return this.socket.bufferedAmount > CONGESTED_BYTES;
  }

  /** @returns false when the frame was certainly not written */
  send(text: string): boolean {
    if (this.hasEnded || this.socket.readyState !== this.socket.OPEN) return false;
    if (this.socket.bufferedAmount > MAX_SEND_BUFFER_BYTES) {
      this.terminate('does not read');
      return false;
    }
    this.hold();
    this.socket.send(text, () => undefined);
    return true;
  }

  /** The frames of one turn leave in one write: a commit lets many go at once, and a write costs more than a frame. */
  private hold(): void {
    if (this.isHolding) return;
    this.isHolding = true;
    this.stream.cork();
    process.nextTick(() => {
      this.isHolding = false;
      this.stream.uncork();
    });
  }

  /** Stops reading, so that the daemon's own send buffer fills up and it waits. */
  pause(): void {
    this.paused = true;
    this.bytesAtPing = undefined;
    this.socket.pause();
  }

  resume(): void {
    this.paused = false;
    this.socket.resume();
  }

  close(code: number, reason: string): void {
    if (this.hasEnded) return;
    const text = closeReason(reason);
    this.end(code, text);
    this.resume();
    this.socket.close(code, text);
    this.cutSoon();
  }

  terminate(reason: string): void {
    this.end(ABNORMAL, reason);
    this.socket.terminate();
  }

  private receive(data: RawData, isBinary: boolean): void {
    if (this.hasEnded) return;
    if (isBinary) {
      this.close(CloseCode.badFrame, 'binary frames are not part of the protocol');
      return;
    }
    try {
      this.owner.onText((data as Buffer).toString());
    } catch (error) {
      // A fault of ours in reading one daemon's frame must not reach the process, and so every daemon.
      logger.error({ msg: 'a frame could not be handled', error: describeError(error) });
      this.terminate('the frame could not be handled');
    }
  }

  /** The socket has sent the fitting close code itself, for example 1009 for a frame that is too large. */
  private fail(error: Error & { code?: string }): void {
    const tooLarge = error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
    if (tooLarge) this.end(CloseCode.frameTooLarge, OVER_LIMIT);
    else this.end(ABNORMAL, describeError(error));
    this.cutSoon();
  }

  private cutSoon(): void {
    const timer = setTimeout(() => this.socket.terminate(), CLOSE_PATIENCE_MS);
    timer.unref();
    void this.closed.then(() => clearTimeout(timer));
  }

  private end(code: number, reason: string): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.beating.delete(this);
    this.owner.onEnd(code, reason);
  }

  /**
   * Any byte proves life, not the pong alone, which waits behind a large frame on a slow line. Nothing is
   * concluded from the silence of a socket that we do not read.
   * @internal for the heartbeats
   */
  beat(): void {
    if (this.hasEnded || this.socket.readyState !== this.socket.OPEN) return;
    const bytes = this.stream.bytesRead;
    if (this.bytesAtPing === bytes) {
      this.terminate('silent');
      return;
    }
    if (this.bytesAtPing !== undefined) this.owner.onAlive();
    this.bytesAtPing = this.paused ? undefined : bytes;
    this.socket.ping(() => undefined);
  }
}
