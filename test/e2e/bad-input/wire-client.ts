import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';

export interface WireRequest {
  method: string;
  path: string;
  /** Header names and values as they go out; a list sends the header several times. */
  headers: Record<string, string | string[]>;
  body: Buffer;
}

export interface WireAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

const DEADLINE_MS = 60_000;

/** Many requests over few connections, so that thousands of them take seconds. */
export class WireClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 32 });

  constructor(private readonly url: string) {}

  /**
   * @returns the answer, or `undefined` where Node's own client refuses to send such a request
   * @throws Error when no answer comes in time, which is the hang that must not happen
   */
  async send({ method, path, headers, body }: WireRequest): Promise<WireAnswer | undefined> {
    const { hostname, port } = new URL(this.url);
    return new Promise((resolve, reject) => {
      // Node's client announces no length for a GET, and its body would be taken for the next request.
      const framed = { ...headers, 'Content-Length': String(body.length) };
      const options = { hostname, port, method, path, headers: framed, agent: this.agent };
      const request = unlessRefused(() => httpRequest(options));
      if (!request) {
        resolve(undefined);
        return;
      }
      request.setTimeout(DEADLINE_MS, () => request.destroy(new Error(`no answer in ${DEADLINE_MS} ms`)));
      request.once('error', reject);
      request.once('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        });
      });
      request.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

function unlessRefused<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if ((error as Error).name === 'TypeError') return undefined;
    throw error;
  }
}
