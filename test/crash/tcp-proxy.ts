import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';

export type Direction = 'to-server' | 'to-client' | 'both';

interface Pair {
  client: Socket;
  server: Socket;
}

/**
 * A line between clients and a server that can be cut and stalled. It keeps its own address while the server comes
 * and goes at others; without a server it hangs up at once.
 */
export class TcpProxy {
  /** Port of the server on this machine; absent while there is none. */
  serverPort: number | undefined;
  private readonly listener: Server;
  private readonly pairs = new Set<Pair>();
  private stalled: Direction | undefined;
  private answersToDrop = 0;

  private constructor() {
    this.listener = createServer((client) => this.accept(client));
  }

  static async listen(): Promise<TcpProxy> {
    const proxy = new TcpProxy();
    await new Promise<void>((resolve, reject) => {
      proxy.listener.once('error', reject);
      proxy.listener.listen(0, '127.0.0.1', resolve);
    });
    return proxy;
  }

  get port(): number {
    return (this.listener.address() as AddressInfo).port;
  }

  /** Ends every connection at once; what is on its way is lost. @returns how many there were */
  cut(): number {
    const pairs = [...this.pairs];
    for (const pair of pairs) end(pair);
    return pairs.length;
  }

  /** Cuts the next connections on which the server answers, so that the request arrived and its answer does not. */
  dropAnswers(count: number): void {
    this.answersToDrop = count;
  }

  /** Stops reading: what is sent waits, on connections that stand and on new ones. */
  stall(direction: Direction): void {
    this.stalled = direction;
    for (const pair of this.pairs) this.applyStall(pair);
  }

  resume(): void {
    this.stalled = undefined;
    for (const pair of this.pairs) this.applyStall(pair);
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.listener.close(resolve));
  }

  private accept(client: Socket): void {
    if (this.serverPort === undefined) {
      client.on('error', () => undefined);
      client.destroy();
      return;
    }
    const pair = { client, server: connect(this.serverPort, '127.0.0.1') };
    this.pairs.add(pair);
    this.forward(pair, client, pair.server);
    this.forward(pair, pair.server, client);
    this.applyStall(pair);
  }

  private forward(pair: Pair, from: Socket, to: Socket): void {
    from.setNoDelay(true);
    from.on('data', (bytes) => {
      if (from === pair.server && this.answersToDrop > 0) {
        this.answersToDrop -= 1;
        end(pair);
        return;
      }
      if (!to.write(bytes)) from.pause();
    });
    to.on('drain', () => {
      if (!this.isStalled(pair, from)) from.resume();
    });
    from.on('end', () => to.end());
    from.on('error', () => end(pair));
    from.on('close', () => {
      this.pairs.delete(pair);
      // What the other end had sent before is still written out.
      to.destroySoon();
    });
  }

  private isStalled(pair: Pair, from: Socket): boolean {
    if (this.stalled === undefined) return false;
    return this.stalled === 'both' || (this.stalled === 'to-server') === (from === pair.client);
  }

  private applyStall(pair: Pair): void {
    for (const from of [pair.client, pair.server]) {
      if (this.isStalled(pair, from)) from.pause();
      else from.resume();
    }
  }
}

function end(pair: Pair): void {
  pair.client.destroy();
  pair.server.destroy();
}
