import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Answer {
  status: number;
  body: string;
}

const HEAD_END = '\r\n\r\n';

/**
 * One kept-alive connection with one request at a time. A full HTTP client costs more than the fastest server measured
 * here and would be the limit itself; this one reads no more of HTTP than such answers need.
 */
export class HttpConnection {
  private received: Buffer = Buffer.alloc(0);
  private waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined;

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.take(chunk));
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.fail(new Error('the server closed the connection')));
  }

  static async open(port: number): Promise<HttpConnection> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new HttpConnection(socket);
  }

  /**
   * @param request head and body as they go over the wire
   * @throws when the connection ends before the answer, or the answer has no `Content-Length`
   */
  send(request: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.socket.write(request);
    });
  }

  close(): void {
    this.waiting = undefined;
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
    const headLength = this.received.indexOf(HEAD_END);
    if (headLength < 0) return;
    const head = this.received.toString('latin1', 0, headLength);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) return this.fail(new Error(`an answer without Content-Length:\n${head}`));
    const start = headLength + HEAD_END.length;
    const end = start + Number(length);
    if (this.received.length < end) return;
    const body = this.received.toString('utf8', start, end);
    this.received = this.received.subarray(end);
    const waiting = this.waiting;
    this.waiting = undefined;
    waiting?.resolve({ status: Number(head.slice(9, 12)), body });
  }

  private fail(error: Error): void {
    this.socket.destroy();
    this.waiting?.reject(error);
    this.waiting = undefined;
  }
}
