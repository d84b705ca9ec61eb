import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clientSignal } from './client-signal.js';
import { writeEvents } from './sse-writer.js';

const keepaliveMs = 20;

/** A source that a test feeds, and that knows when it was ended. */
class Feed implements AsyncIterable<string> {
  readonly ended: Promise<void>;
  asked = 0;
  private readonly waiting: ((step: IteratorResult<string>) => void)[] = [];
  private readonly ready: IteratorResult<string>[] = [];
  private end: () => void = () => undefined;

  constructor(private readonly endless?: () => string) {
    this.ended = new Promise((resolve) => (this.end = resolve));
  }

  push(...items: unknown[]): void {
    for (const item of items) this.give({ done: false, value: JSON.stringify(item) });
  }

  finish(): void {
    this.give({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): AsyncIterator<string> {
    return {
      next: () => {
        this.asked += 1;
        if (this.endless) return Promise.resolve({ done: false, value: this.endless() });
        const step = this.ready.shift();
        return step ? Promise.resolve(step) : new Promise((resolve) => this.waiting.push(resolve));
      },
      return: async () => {
        this.end();
        return { done: true, value: undefined };
      },
    };
  }

  private give(step: IteratorResult<string>): void {
    const waiting = this.waiting.shift();
    if (waiting) waiting(step);
    else this.ready.push(step);
  }
}

/** Serves the feed over a real socket. */
async function serve(feed: Feed) {
  const responses: ServerResponse[] = [];
  const server = createServer((_, response) => {
    responses.push(response);
    void writeEvents(response, feed, { keepaliveMs, signal: clientSignal(response) });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const open = async (): Promise<IncomingMessage> => {
    const [response] = (await once(httpRequest({ port, host: '127.0.0.1' }).end(), 'response')) as [
      IncomingMessage,
    ];
    response.on('error', () => undefined);
    return response;
  };
  return { open, responses, close: () => server.close() };
}

/** What is written from here on, until it holds a text. */
async function readUntil(response: IncomingMessage, wanted: string): Promise<string> {
  let text = '';
  while (!text.includes(wanted)) {
    const [chunk] = (await once(response, 'data')) as [Buffer];
    text += chunk.toString('utf8');
  }
  return text;
}

async function readAll(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

describe('an event stream', () => {
  it('[P4] [B111] sends its headers before there is any event, and says that nothing may hold it back', async () => {
    const feed = new Feed();
    const served = await serve(feed);
    const response = await served.open();
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    });
    feed.finish();
    await readAll(response);
    served.close();
  });

  it('[P4] writes each item as one line of data, and ends with the last', async () => {
    const feed = new Feed();
    const served = await serve(feed);
    feed.push({ a: 'one\ntwo\r' }, { b: 'x\u2028y\u2029z\u0085' }, { c: '👋' });
    feed.finish();
    const text = await readAll(await served.open());
    const events = text.split('\n\n').filter((block) => block !== '' && !block.startsWith(':'));
    expect(events.every((event) => /^data: \{.*\}$/u.test(event))).toBe(true);
    expect(text).not.toMatch(/[\r\u0085\u2028\u2029]/);
    expect(events.map((event) => JSON.parse(event.slice('data: '.length)) as unknown)).toEqual([
      { a: 'one\ntwo\r' },
      { b: 'x\u2028y\u2029z\u0085' },
      { c: '👋' },
    ]);
    served.close();
  });

  it('[P4] [B111] breaks a silence with comments, which are no events', async () => {
    const feed = new Feed();
    const served = await serve(feed);
    const response = await served.open();
    expect(await readUntil(response, ': keep-alive\n\n: keep-alive\n\n')).not.toContain('data');
    feed.finish();
    await readAll(response);
    served.close();
  });

  it('[P4] [B110] ends the source when the client goes away, and writes no more', async () => {
    const feed = new Feed();
    const served = await serve(feed);
    const response = await served.open();
    feed.push(1);
    await readUntil(response, 'data: 1');
    response.destroy();
    await feed.ended;
    expect(served.responses[0]?.writableEnded).toBe(true);
    served.close();
  });

  it('[P4] asks for no more than a slow reader takes', async () => {
    const item = 'x'.repeat(100_000);
    const feed = new Feed(() => item);
    const served = await serve(feed);
    const response = await served.open();
    response.pause();
    // The buffers of both sockets fill, and then nothing is asked for: two looks apart see the same number.
    let before = -1;
    while (before !== feed.asked || feed.asked === 0) {
      before = feed.asked;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(served.responses[0]?.writableLength).toBeLessThan(2 * item.length);
    response.resume();
    await readUntil(response, item);
    response.destroy();
    await feed.ended;
    served.close();
  });
});
