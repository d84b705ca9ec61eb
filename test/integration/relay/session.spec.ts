import { Logger } from '@nestjs/common';
import { MAX_FRAME_BYTES } from '../../../src/relay-protocol/index.js';
import { LogCollector } from '../../support/log-collector.js';
import {
  type RelayApp,
  type TestDaemon,
  HELLO,
  connect,
  greet,
  startRelay,
  until,
  update,
} from './relay-app.js';

const malformed: [string, string | Buffer][] = [
  ['not json', 'not json'],
  ['an empty object', '{}'],
  ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"job.updated","params":{}}]'],
  ['null', 'null'],
  ['a frame of another protocol', '{"event":"nope","data":1}'],
  ['a wrong version', '{"jsonrpc":"1.0","id":1,"method":"relay.draining"}'],
  ['a binary frame', Buffer.from('{"jsonrpc":"2.0","method":"relay.draining"}')],
];

describe('session with a daemon', () => {
  let relay: RelayApp;

  beforeEach(async () => {
    relay = await startRelay();
  });
  afterEach(() => relay.app.close());

  it('[R2] agrees on the capabilities that both sides have, and says what it expects', async () => {
    const daemon = await connect(relay);
    const { result } = await daemon.request('relay.hello', {
      ...HELLO,
      capabilities: ['durable-a2a-v1', 'other'],
    });
    expect(result).toEqual({
      sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      capabilities: ['durable-a2a-v1'],
      heartbeatMs: 20_000,
      maxFrameBytes: 2 * 1024 * 1024,
      serverTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(relay.sessions.connectedComputers()).toEqual(['computer-1']);
  });

  it('[R2] keeps a computer without durable-a2a-v1 connected and offers it no job', async () => {
    const daemon = await greet(relay, { hello: { capabilities: ['other'] } });
    expect(relay.executor.isAvailable('computer-1')).toBe(false);
    expect(relay.sessions.connectedComputers()).toEqual([]);
    expect(relay.refresher.asked).toEqual([]);
    expect(daemon.socket.readyState).toBe(daemon.socket.OPEN);
  });

  it('[R5] has the open jobs asked about as soon as the computer is there', async () => {
    const connected: string[] = [];
    relay.sessions.onConnected((computerId) => connected.push(computerId));
    await greet(relay);
    expect(relay.refresher.asked).toEqual(['computer-1']);
    expect(connected).toEqual(['computer-1']);
    expect(relay.directory.seen).toEqual(['computer-1']);
  });

  it('[R2] closes with 4406 for a protocol that it does not speak', async () => {
    const daemon = await connect(relay);
    daemon.send({ jsonrpc: '2.0', id: 1, method: 'relay.hello', params: { protocol: 2 } });
    expect(await daemon.closed).toEqual({ code: 4406, reason: 'only protocol 1 is spoken' });
  });

  it.each([
    ['another method', { jsonrpc: '2.0', id: 1, method: 'job.updated', params: update('task-1') }],
    ['a hello that wants no answer', { jsonrpc: '2.0', method: 'relay.hello', params: HELLO }],
    ['a hello without its fields', { jsonrpc: '2.0', id: 1, method: 'relay.hello', params: { protocol: 1 } }],
    ['an answer', { jsonrpc: '2.0', id: 1, result: {} }],
  ])('[R2] closes with 4400 when the first frame is %s', async (_name, frame) => {
    const daemon = await connect(relay);
    daemon.send(frame);
    expect(await daemon.closed).toMatchObject({ code: 4400, reason: expect.stringContaining('relay.hello') });
    expect(relay.reports.taken).toEqual([]);
  });

  it('[R2] closes with 4400 at a second hello', async () => {
    const daemon = await greet(relay);
    daemon.send({ jsonrpc: '2.0', id: 5, method: 'relay.hello', params: HELLO });
    expect((await daemon.closed).code).toBe(4400);
  });

  it.each(malformed)(
    '[B130] [R7] closes with 4400 and a reason at %s, and nobody else notices',
    async (_name, frame) => {
      relay.directory.tokens.set('computer-2', 'rt_two');
      const other = await greet(relay, { token: 'rt_two' });
      const daemon = await greet(relay);
      daemon.socket.send(frame);
      const { code, reason } = await daemon.closed;
      expect(code).toBe(4400);
      expect(reason).not.toBe('');
      expect((await other.request('job.updated', update('task-2'))).result).toEqual({ acknowledged: 1 });
      expect(relay.sessions.connectedComputers()).toEqual(['computer-2']);
    },
  );

  it('[B130] names the wrong field of a known method, changes nothing and goes on', async () => {
    const daemon = await greet(relay);
    const wrong = await daemon.request('job.updated', update('task-1', 1, { revision: 'one' }));
    expect(wrong.error).toMatchObject({ code: -32602, message: expect.stringContaining('revision') });
    expect((await daemon.request('nope', {})).error).toMatchObject({ code: -32601 });
    expect(relay.reports.taken).toEqual([]);
    expect((await daemon.request('job.updated', update('task-1'))).result).toEqual({ acknowledged: 1 });
  });

  it('[B133] closes with 1009 at a frame of 20 MB; the others and the next session go on', async () => {
    relay.directory.tokens.set('computer-2', 'rt_two');
    const other = await greet(relay, { token: 'rt_two' });
    const daemon = await greet(relay);
    daemon.send(JSON.stringify(update('task-1', 1, { reply: 'x'.repeat(20_000_000) })));
    expect((await daemon.closed).code).toBe(1009);
    expect(relay.reports.taken).toEqual([]);
    expect((await other.request('job.updated', update('task-2'))).result).toEqual({ acknowledged: 1 });
    await greet(relay);
    expect(relay.executor.isAvailable('computer-1')).toBe(true);
  });

  it.each<[string, string, (daemon: TestDaemon) => void]>([
    ['is too large for it', 'a frame over 2 MiB', (daemon) => daemon.send('x'.repeat(MAX_FRAME_BYTES + 1))],
    [
      'is too large for the daemon',
      'a frame was too large for the daemon',
      ({ socket }) => socket.close(1009),
    ],
  ])('[R7] [B133] says in its log of a link that ended with 1009 that a frame %s', async (_, reason, end) => {
    const logs = new LogCollector();
    Logger.overrideLogger(logs);
    try {
      const daemon = await greet(relay);
      end(daemon);
      await daemon.closed;
      await until(() => logs.lines.some((line) => line.includes('disconnected')), 'the end is logged');
      const line = logs.lines.find((text) => text.includes('computer disconnected'));
      expect(JSON.parse(line ?? '')[0]).toMatchObject({ code: 1009, reason });
    } finally {
      Logger.overrideLogger(false);
    }
  });

  it('[B133] takes the largest reply that the protocol allows', async () => {
    const daemon = await greet(relay);
    const reply = '\u0001'.repeat(100_000);
    const { result } = await daemon.request(
      'job.updated',
      update('task-1', 3, { state: 'succeeded', reply }),
    );
    expect(result).toEqual({ acknowledged: 3 });
    expect(relay.reports.taken[0]?.report).toEqual({
      taskId: 'task-1',
      state: 'completed',
      revision: 3,
      reply,
    });
  });

  it('[R1] closes the socket with 4403 when the token is revoked, at once after the directory was loaded', async () => {
    const daemon = await greet(relay);
    const waiting = await connect(relay);
    relay.directory.tokens.set('computer-1', 'rt_new');
    relay.directoryEvents.announceReloaded();
    expect(await daemon.closed).toEqual({ code: 4403, reason: 'the relay token was revoked' });
    expect((await waiting.closed).code).toBe(4403);
    expect(relay.executor.isAvailable('computer-1')).toBe(false);
  });

  it('[R1] leaves alone whose token still opens the computer', async () => {
    const daemon = await greet(relay);
    await relay.sessions.revalidate();
    expect((await daemon.request('job.updated', update('task-1'))).result).toEqual({ acknowledged: 1 });
  });

  it('[R1] notices a token that is revoked between the upgrade and the session', async () => {
    const look = relay.directory.findComputerByRelayToken.bind(relay.directory);
    relay.directory.findComputerByRelayToken = async (token) => {
      const computer = await look(token);
      relay.directory.tokens.delete('computer-1');
      return computer;
    };
    const daemon = await connect(relay);
    expect((await daemon.closed).code).toBe(4403);
  });

  it('[R8] tells daemons with 1012 to come back, and lets nobody in any more', async () => {
    const daemons = [await greet(relay), await connect(relay)];
    await relay.app.close();
    for (const daemon of daemons) expect(await daemon.closed).toMatchObject({ code: 1012 });
    expect(relay.sessions.listening).toBe(false);
    expect(relay.directory.seen).toEqual(['computer-1', 'computer-1']);
    relay = await startRelay();
  });

  it('[O2] says that it listens once the application does', () => {
    expect(relay.sessions.listening).toBe(true);
  });
});
