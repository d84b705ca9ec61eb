import { request, type IncomingMessage } from 'node:http';

export interface StreamRequest {
  port: number;
  path: string;
  headers: Record<string, string>;
  body: object;
}

/** A stream of server-sent events that is being read. */
export class EventStream {
  /** How long the first event took from the request on. */
  readonly firstEventMs: Promise<number>;
  /** Resolves at the end of the stream. @throws when it ended without an event that says `final` */
  readonly ended: Promise<void>;
  events = 0;

  constructor({ port, path, headers, body }: StreamRequest) {
    const startedAt = performance.now();
    let seen: (ms: number) => void = () => undefined;
    let missed: (error: Error) => void = () => undefined;
    this.firstEventMs = new Promise((resolve, reject) => ([seen, missed] = [resolve, reject]));
    this.ended = new Promise((resolve, reject) => {
      const fail = (error: Error): void => {
        missed(error);
        reject(error);
      };
      const outgoing = request({ port, path, headers, method: 'POST', host: '127.0.0.1', agent: false });
      outgoing.on('error', fail);
      outgoing.on('response', (response) => {
        this.read(response, () => seen(performance.now() - startedAt)).then(resolve, fail);
      });
      outgoing.end(JSON.stringify(body));
    });
    // Whoever waits for one of the two hears of it; the other one may be of no interest.
    this.firstEventMs.catch(() => undefined);
    this.ended.catch(() => undefined);
  }

  private async read(response: IncomingMessage, onEvent: () => void): Promise<void> {
    let [text, isFinal] = ['', false];
    response.setEncoding('utf8');
    for await (const chunk of response) {
      const parts = `${text}${chunk as string}`.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts.filter((one) => one.startsWith('data: '))) {
        const event = JSON.parse(part.slice('data: '.length)) as { result?: { final?: boolean } };
        if (event.result === undefined) throw new Error(`an error came as an event: ${part.slice(0, 300)}`);
        this.events += 1;
        isFinal = event.result.final === true;
        onEvent();
      }
    }
    if (!isFinal) throw new Error(`a stream ended after ${this.events} events without a final one`);
  }
}
