import { once } from 'node:events';
import type { WebSocket } from 'ws';

const DEADLINE_MS = 60_000;

export type Frame = Record<string, unknown>;

/** The runner's end of one link: keeps what arrives until a step of the transcript asks for it. */
export class TranscriptLink {
  readonly closed: Promise<{ code: number; reason: string }>;
  private readonly arrived: Frame[] = [];
  private wake: () => void = () => undefined;
  private isClosed = false;

  constructor(private readonly socket: WebSocket) {
    socket.on('error', () => undefined);
    socket.on('message', (data) => {
      this.arrived.push(JSON.parse((data as Buffer).toString('utf8')) as Frame);
      this.wake();
    });
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => {
        this.isClosed = true;
        resolve({ code, reason: reason.toString() });
        this.wake();
      });
    });
  }

  get open(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  /** Frames that no step has asked for. */
  get left(): readonly Frame[] {
    return this.arrived;
  }

  send(frame: unknown): void {
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason);
  }

  /** Takes the connection away without a word. */
  async cut(): Promise<void> {
    this.socket.terminate();
    if (!this.isClosed) await once(this.socket, 'close');
  }

  /** Waits for the first frame that fits, and leaves it where it is. */
  async find(what: string, fits: (frame: Frame) => boolean): Promise<Frame> {
    const deadline = Date.now() + DEADLINE_MS;
    for (;;) {
      const found = this.arrived.find(fits);
      if (found) return found;
      const state = this.isClosed ? 'the link is closed' : 'nothing fits';
      if (this.isClosed || Date.now() > deadline)
        throw new Error(`${what} did not come: ${state}; unread: ${JSON.stringify(this.arrived)}`);
      await this.nextChange(deadline - Date.now());
    }
  }

  take(frame: Frame): void {
    this.arrived.splice(this.arrived.indexOf(frame), 1);
  }

  private async nextChange(withinMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      timer = setTimeout(resolve, withinMs);
    });
    clearTimeout(timer);
  }
}
