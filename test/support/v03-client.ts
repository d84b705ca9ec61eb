import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { API_KEY, PUBLISHED, type Answer, type TestApi } from './test-api.js';

export interface V03Options {
  /** The `Authorization` header; Bob's API key unless it is another one, or none (`undefined`). */
  authorization?: string | undefined;
  address?: string;
  headers?: Record<string, string | undefined>;
}

/** Calls the 0.3 endpoint as a client does that knows nothing of 1.0. */
export class V03Client {
  private requests = 0;

  constructor(
    private readonly api: TestApi,
    private readonly options: V03Options = {},
  ) {}

  /** One JSON-RPC call. */
  rpc(method: string, params: unknown, options: V03Options = {}): Promise<Answer> {
    return this.post(this.bodyOf(method, params), options);
  }

  post(body: string, options: V03Options = {}): Promise<Answer> {
    const { address, headers } = this.requestOf(options);
    return this.api.request('POST', address, { headers, body });
  }

  /** Opens a stream of events; whether it is one, the answer's headers say. */
  async stream(method: string, params: unknown, options: V03Options = {}): Promise<EventStream> {
    const { address, headers } = this.requestOf(options);
    const request = httpRequest(new URL(address, this.api.url), {
      method: 'POST',
      headers: { ...definedOf(headers), accept: 'text/event-stream' },
      agent: false,
    });
    request.on('error', () => undefined);
    request.end(this.bodyOf(method, params));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return new EventStream(response);
  }

  /** All results of a stream, until it closes. */
  async events(method: string, params: unknown, options: V03Options = {}): Promise<any[]> {
    return (await this.stream(method, params, options)).rest();
  }

  private bodyOf(method: string, params: unknown): string {
    this.requests += 1;
    return JSON.stringify({ jsonrpc: '2.0', id: this.requests, method, params });
  }

  private requestOf(options: V03Options) {
    const merged: V03Options = { authorization: `Bearer ${API_KEY}`, ...this.options, ...options };
    return {
      address: merged.address ?? PUBLISHED.helper,
      headers: {
        'Content-Type': 'application/json',
        Authorization: merged.authorization,
        ...this.options.headers,
        ...options.headers,
      },
    };
  }
}

/** Server-sent events, read strictly: every event is one `data: ` line, everything else a comment. */
export class EventStream implements AsyncIterable<any> {
  /** Comment lines so far. */
  readonly comments: string[] = [];
  /** Everything as it came. */
  text = '';
  private readonly blocks: AsyncGenerator<string>;

  constructor(readonly response: IncomingMessage) {
    response.on('error', () => undefined);
    this.blocks = this.readBlocks();
  }

  /** The next JSON-RPC answer, or `undefined` when the stream has ended. */
  async answer(): Promise<any> {
    for (;;) {
      const { value: block, done } = await this.blocks.next();
      if (done) return undefined;
      if (block.startsWith(':')) {
        this.comments.push(block);
        continue;
      }
      if (!/^data: .*$/.test(block)) throw new Error(`no event of one line: ${block}`);
      return JSON.parse(block.slice('data: '.length));
    }
  }

  /** The next result; fails on an error. */
  async next(): Promise<any> {
    const answer = await this.answer();
    if (answer === undefined) return undefined;
    if (answer.error) throw new Error(`error in the stream: ${JSON.stringify(answer.error)}`);
    return answer.result;
  }

  async rest(): Promise<any[]> {
    const results: any[] = [];
    for await (const result of this) results.push(result);
    return results;
  }

  /** Goes away without a word. */
  abort(): void {
    this.response.destroy();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<any> {
    for (let result = await this.next(); result !== undefined; result = await this.next()) yield result;
  }

  private async *readBlocks(): AsyncGenerator<string> {
    let buffer = '';
    for await (const chunk of this.response.setEncoding('utf8') as AsyncIterable<string>) {
      this.text += chunk;
      buffer += chunk;
      const blocks = buffer.split('\n\n');
      buffer = blocks.pop() ?? '';
      yield* blocks;
    }
  }
}

let counter = 0;

/** A 0.3 message that nobody has sent before. */
export function message03(members: object = {}): Record<string, unknown> {
  counter += 1;
  return {
    kind: 'message',
    messageId: `m03-${process.pid}-${counter}`,
    role: 'user',
    parts: [{ kind: 'text', text: `hello ${counter}` }],
    ...members,
  };
}

function definedOf(headers: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;
}

/** An event in a word or two, for the order of many. */
export function told(event: any): string {
  if (event.kind === 'task') return `task ${event.status.state}`;
  if (event.kind === 'status-update') return `${event.status.state}${event.final ? ' final' : ''}`;
  const [{ text }] = event.artifact.parts;
  return `${event.append ? '+' : '='}${text}${event.lastChunk ? '.' : ''}`;
}
