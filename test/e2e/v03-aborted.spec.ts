import { connect } from 'node:net';
import { API_KEY, PUBLISHED, TestApi, until } from '../support/test-api.js';
import type { ScriptedDaemon } from '../support/scripted-daemon.js';
import { V03Client, message03 } from '../support/v03-client.js';

const STREAMS = 500;
const AT_ONCE = 50;

describe('streams whose readers go away', () => {
  let api: TestApi;
  let daemon: ScriptedDaemon;
  let client: V03Client;

  beforeAll(async () => {
    api = await TestApi.start({ A2A_STREAMS_PER_ACCOUNT: String(AT_ONCE) });
    daemon = await api.daemon();
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
    expect(daemon.submissions.length).toBeGreaterThanOrEqual(STREAMS / 2);
    const { jobId } = daemon.submissions.at(-1) ?? { jobId: '' };
    await daemon.complete(jobId, 'anyway');
    const { result } = (await client.rpc('tasks/get', { id: jobId })).body;
    expect(result).toMatchObject({
      status: { state: 'completed' },
      artifacts: [{ parts: [{ text: 'anyway' }] }],
    });
  }, 120_000);

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
