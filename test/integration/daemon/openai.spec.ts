import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DaemonConfigError, type DaemonOptions } from '../../../src/daemon/index.js';
import { DaemonBench, order } from './support/daemon-bench.js';
import type { FakeApi } from './support/fake-api.js';

interface ChatRequest {
  model: string;
  stream: boolean;
  messages: { role: string; content: string }[];
}
type Answer = (response: ServerResponse, request: ChatRequest) => void | Promise<void>;

const KEY = 'sk-very-secret';

describe('the openai runtime', () => {
  let bench: DaemonBench;
  let answer: Answer;
  let baseUrl: string;
  let requests: { body: ChatRequest; head: IncomingMessage }[];

  beforeEach(async () => {
    bench = new DaemonBench();
    requests = [];
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString()) as ChatRequest;
        requests.push({ body, head: request });
        void answer(response, body);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    bench.onEnd(async () => {
      server.closeAllConnections();
      server.close();
    });
  });
  afterEach(() => bench.end());

  const piece = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
  const stream = (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' });
  const says =
    (...pieces: string[]): Answer =>
    (response) =>
      void stream(response).end(pieces.map(piece).join('') + 'data: [DONE]\n\n');

  const agent = (more: object = {}) => ({
    runtime: 'openai',
    baseUrl,
    model: 'small',
    apiKeyEnv: 'MODEL_KEY',
    ...more,
  });

  async function start(agents: object, changes: Partial<DaemonOptions> = {}): Promise<FakeApi> {
    const api = await bench.api();
    await bench.daemon(api, { agents }, { environment: { MODEL_KEY: KEY }, ...changes });
    return api;
  }

  async function ask(api: FakeApi, changes = {}, text = 'hello') {
    const job = order(changes, text);
    await (await api.session()).submit(job);
    return api.until('the end', () =>
      api.updates.find(
        (each) => each.jobId === job.jobId && ['succeeded', 'failed', 'canceled'].includes(each.state),
      ),
    );
  }

  it('[P4] streams the answer as partial output and keeps it as the reply', async () => {
    answer = says('Hel', 'lo ', 'Welt 👋');
    const api = await start({ '*': agent({ system: 'Be kind.' }) });
    expect(await ask(api)).toMatchObject({ state: 'succeeded', reply: 'Hello Welt 👋' });
    expect(api.deltas.map((delta) => delta.text).join('')).toBe('Hello Welt 👋');
    expect(requests[0]?.body).toEqual({
      model: 'small',
      stream: true,
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'hello' },
      ],
    });
    expect(requests[0]?.head.url).toBe('/v1/chat/completions');
    expect(requests[0]?.head.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it('remembers the conversation of an account in a context, and nothing else', async () => {
    answer = (response, { messages }) => says(`answer to ${messages.at(-1)?.content}`)(response, {} as never);
    const api = await start({ '*': agent() });
    await ask(api, {}, 'one');
    await ask(api, {}, 'two');
    await ask(api, { caller: { accountId: 'other' } }, 'three');
    await ask(api, { contextId: 'elsewhere' }, 'four');
    const sent = requests.map(({ body }) => body.messages.map((message) => message.content));
    expect(sent).toEqual([['one'], ['one', 'answer to one', 'two'], ['three'], ['four']]);
  });

  it('bounds the conversation', async () => {
    answer = says('ok');
    const api = await start({ '*': agent() });
    for (let turn = 0; turn < 25; turn += 1) await ask(api, {}, `turn ${turn}`);
    const last = requests.at(-1)?.body.messages ?? [];
    expect(last).toHaveLength(41);
    expect(last.at(-1)?.content).toBe('turn 24');
    expect(last[0]?.content).toBe('turn 4');
  });

  it('keeps characters and lines whole that arrive in pieces, with either line end', async () => {
    answer = async (response) => {
      stream(response);
      const bytes = Buffer.from(
        (': comment\n' + piece('é👋') + piece('ß') + 'data:[DONE]\n\n').replaceAll('\n', '\r\n'),
      );
      for (const byte of bytes) {
        response.write(Buffer.from([byte]));
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    };
    expect(await ask(await start({ '*': agent() }))).toMatchObject({ state: 'succeeded', reply: 'é👋ß' });
  });

  it('takes an answer that is not streamed', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ choices: [{ message: { content: 'whole' } }] }));
    };
    expect(await ask(await start({ '*': agent() }))).toMatchObject({ state: 'succeeded', reply: 'whole' });
  });

  it('takes a stream that ends with a finish reason and without the end mark', async () => {
    answer = (response) =>
      void stream(response).end(
        piece('fine') + 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n',
      );
    expect(await ask(await start({ '*': agent() }))).toMatchObject({ state: 'succeeded', reply: 'fine' });
  });

  it.each<[string, Answer, RegExp]>([
    ['ends in the middle', (r) => void stream(r).end(piece('half')), /broke off/],
    [
      'is cut by the network',
      (r) => void stream(r).write(piece('half'), () => setImmediate(() => r.destroy())),
      /connection to the model failed/,
    ],
    ['is no chat stream', (r) => void stream(r).end('data: {"what":\n\n'), /not a chat answer/],
    ['is empty', (r) => void stream(r).end('data: [DONE]\n\n'), /empty answer/],
    [
      'reports an error',
      (r) => void stream(r).end('data: {"error":{"message":"overloaded"}}\n\n'),
      /overloaded/,
    ],
    [
      'is no JSON',
      (r) => void r.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      /not a chat answer/,
    ],
    ['redirects', (r) => void r.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(), /connection/],
    ['has an endless line', (r) => void stream(r).end('data: ' + 'x'.repeat(3_000_000)), /not a chat answer/],
  ])('fails the job when the answer %s, and remembers nothing of it', async (_title, broken, expected) => {
    answer = broken;
    const api = await start({ '*': agent() });
    const report = await ask(api);
    expect(report.state).toBe('failed');
    expect(report.statusText).toMatch(expected);
    answer = says('fine');
    expect(await ask(api, {}, 'next')).toMatchObject({ state: 'succeeded' });
    expect(requests.at(-1)?.body.messages).toEqual([{ role: 'user', content: 'next' }]);
  });

  it('explains HTTP errors and never shows the key', async () => {
    answer = (response) =>
      void response
        .writeHead(401)
        .end(JSON.stringify({ error: { message: `Incorrect API key provided: ${KEY}.` } }));
    const { state, statusText } = await ask(await start({ '*': agent() }));
    expect({ state, statusText }).toEqual({
      state: 'failed',
      statusText: 'The model answered with HTTP 401: Incorrect API key provided: [key].',
    });
    expect(JSON.stringify(bench.log)).not.toContain(KEY);
  });

  it('says when the model cannot be reached', async () => {
    const api = await start({ '*': { runtime: 'openai', baseUrl: 'http://127.0.0.1:9/v1', model: 'm' } });
    expect((await ask(api)).statusText).toMatch(/model/);
  });

  it('gives up an endpoint that falls silent', async () => {
    answer = (response) => void stream(response).write(piece('and then'));
    const report = await ask(await start({ '*': agent({ idleSeconds: 0.2 }) }));
    expect(report).toMatchObject({ state: 'failed', statusText: 'The model did not answer in time.' });
  });

  it('[S10] ends an endless answer at the limit and hangs up', async () => {
    let hungUp: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => (hungUp = resolve));
    answer = (response) => {
      stream(response);
      response.on('close', hungUp);
      const write = () => {
        while (!response.destroyed && response.write(piece('👋'.repeat(1000))));
      };
      response.on('drain', write);
      write();
    };
    const report = await ask(await start({ '*': agent() }));
    expect(report).toMatchObject({ state: 'succeeded', replyTruncated: true, reply: '👋'.repeat(100_000) });
    await closed;
  });

  it('[G5] hangs up on a cancel', async () => {
    let hungUp: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => (hungUp = resolve));
    answer = (response) => {
      response.on('close', hungUp);
      stream(response).write(piece('…'));
    };
    const api = await start({ '*': agent() });
    const session = await api.session();
    const job = order();
    await session.submit(job);
    await api.until('partial output', () => api.deltas.length > 0);
    expect(await session.cancel(job.jobId)).toMatchObject({ state: 'canceled' });
    await closed;
  });

  it('does not start without the key that an entry names', async () => {
    const started = start({ ai: agent() }, { environment: {} });
    await expect(started).rejects.toThrow(DaemonConfigError);
    await expect(started).rejects.toThrow(/agents\.ai\.apiKeyEnv: .*MODEL_KEY/);
  });

  it('asks the model of another entry in a prompt step of a workflow', async () => {
    answer = (response, { messages }) => says(`[${messages.at(-1)?.content}]`)(response, {} as never);
    const steps = [
      { prompt: 'Shorten: {{previous}}', using: 'ai' },
      { prompt: 'Translate.', using: 'ai' },
    ];
    const api = await start({ ai: agent({ system: 'Be brief.' }), '*': { runtime: 'workflow', steps } });
    expect(await ask(api)).toMatchObject({ reply: '[Translate.\n\n[Shorten: hello]]' });
    expect(requests[0]?.body.messages[0]).toEqual({ role: 'system', content: 'Be brief.' });
    expect(api.deltas.map((delta) => delta.text).join('')).toBe('[Translate.\n\n[Shorten: hello]]');
  });
});
