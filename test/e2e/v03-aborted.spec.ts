import { connect } from 'node:net';
import { EXECUTORS, type Script } from '../support/executors.js';
import { API_KEY, PUBLISHED, until, type TestApi } from '../support/test-api.js';
import { V03Client, message03 } from '../support/v03-client.js';

const STREAMS = 500;
const AT_ONCE = 50;

describe.each(EXECUTORS)('streams whose readers go away, %s', (_name, start) => {
  let api: TestApi;
  let daemon: Script;
  let client: V03Client;

  beforeAll(async () => {
    ({ api, daemon } = await start({ environment: { A2A_STREAMS_PER_ACCOUNT: String(AT_ONCE) } }));
    client = new V03Client(api);
  });
  afterAll(() => api.close());

  async function subscriptions(): Promise<number> {
    const { text } = await api.request('GET', '/metrics');
    const [, count] = /^hello_task_subscriptions (\d+)$/m.exec(text) ?? [];
    return Number(count);
  }
  const nobodyListens = () => until('nobody listens any more', async () => (await subscriptions()) === 0);

  /** Sends the request of a stream and cuts the connection as soon as it is on its way. */
  function openAndCut(): Promise<void> {
    const { port, hostname } = new URL(api.url);
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'message/stream',
      params: { message: message03() },
    });
    return new Promise((resolve) => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.on('close', () => resolve());
      socket.write(
        `POST ${PUBLISHED.helper} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
          `Authorization: Bearer ${API_KEY}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        () => setImmediate(() => socket.destroy()),
      );
    });
  }

  async function openAndLeave(): Promise<void> {
    const stream = await client.stream('message/stream', { message: message03() });
    await stream.next();
    stream.abort();
  }

  it('[B110] [P4] leave nothing behind, and their jobs go on', async () => {
    for (let opened = 0; opened < STREAMS; opened += AT_ONCE) {
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, n) => (n % 2 === 0 ? openAndCut() : openAndLeave())),
      );
      // The account may have so many open as are opened at once: one that stayed would refuse the next.
      await nobodyListens();
    }
    // In the process there is room for so many at once, and each that ends lets another one begin.
    for (let ended = 0; ended < STREAMS / 2; ended += 1) {
      await daemon.submitted(ended + 1);
      await daemon.complete(daemon.submissions[ended]?.jobId ?? '', 'anyway');
    }
    const { jobId } = daemon.submissions[STREAMS / 2 - 1] ?? { jobId: '' };
    const { result } = (await client.rpc('tasks/get', { id: jobId })).body;
    expect(result).toMatchObject({
      status: { state: 'completed' },
      artifacts: [{ parts: [{ text: 'anyway' }] }],
    });
  }, 240_000);

  it('[P7] [B110] one stream too many is 429, until another one ends', async () => {
    const streams = await Promise.all(
      Array.from({ length: AT_ONCE }, () => client.stream('message/stream', { message: message03() })),
    );
    const { id } = await streams[0]!.next();
    const refused = await client.rpc('tasks/resubscribe', { id });
    expect(refused.status).toBe(429);
    for (const stream of streams.slice(1)) stream.abort();
    await until('the others have left', async () => (await subscriptions()) === 1);
    const again = await client.stream('tasks/resubscribe', { id });
    expect((await again.next()).id).toBe(id);
    again.abort();
    streams[0]!.abort();
    await nobodyListens();
  });
});
