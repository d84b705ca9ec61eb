import { type RelayApp, type TestDaemon, greet, startRelay, until, update } from './relay-app.js';

describe('links of computers', () => {
  let relay: RelayApp;

  afterEach(() => relay.app.close());

  it('[R3] lets a new connection take over, tells the old one why, and sends jobs to the new one', async () => {
    relay = await startRelay();
    const first = await greet(relay);
    const second = await greet(relay, {
      hello: { daemon: { name: 'test', version: '1', instanceId: 'instance-2' } },
    });
    expect(await first.closed).toEqual({ code: 4409, reason: 'instance instance-2 took over' });
    second.methods['job.cancel'] = () => ({ result: update('task-1', 5, { state: 'canceled' }) });
    expect(await relay.executor.cancel('computer-1', 'task-1')).toMatchObject({ kind: 'reported' });
  });

  it('[B126] the late close of the old socket does not take the new session away', async () => {
    relay = await startRelay();
    const first = await greet(relay);
    // The old socket hangs: it reads nothing, so it does not take part in closing.
    first.socket.pause();
    const second = await greet(relay);
    expect(relay.executor.isAvailable('computer-1')).toBe(true);
    first.socket.terminate();
    await first.closed;
    expect((await second.request('job.updated', update('task-1'))).result).toEqual({ acknowledged: 1 });
    expect(relay.executor.isAvailable('computer-1')).toBe(true);
    expect(relay.sessions.connectedComputers()).toEqual(['computer-1']);
  });

  it('[R3] the connection that introduces itself last wins, however many come at once', async () => {
    relay = await startRelay();
    const daemons = await Promise.all(Array.from({ length: 20 }, () => greet(relay)));
    await until(
      () => daemons.filter(({ socket }) => socket.readyState === socket.OPEN).length === 1,
      'one connection is left',
    );
    expect(relay.sessions.connectedComputers()).toEqual(['computer-1']);
  });

  it('[R3] [B128] notices a silent peer by pings, ends what it was asked as uncertain, and is offline at once', async () => {
    relay = await startRelay({ heartbeatMs: 1_000 });
    relay.directory.tokens.set('computer-2', 'rt_two');
    const alive = await greet(relay, { token: 'rt_two' });
    const silent = await greet(relay, { options: { autoPong: false } });
    let pings = 0;
    silent.socket.on('ping', () => (pings += 1));
    const asked = relay.executor.status('computer-1', ['task-1'], 'long');
    const { code } = await silent.closed;
    expect(code).toBe(1006);
    // One ping is answered by nothing, and the next one is not sent any more: two heartbeats at most.
    expect(pings).toBe(1);
    expect(await asked).toBeUndefined();
    expect(relay.executor.isAvailable('computer-1')).toBe(false);
    expect(relay.executor.isAvailable('computer-2')).toBe(true);
    alive.socket.terminate();
    await until(() => !relay.executor.isAvailable('computer-2'), 'a cut link is noticed');
  });

  it('[R3] keeps a peer that answers pings', async () => {
    relay = await startRelay({ heartbeatMs: 500 });
    const daemon = await greet(relay);
    let pings = 0;
    daemon.socket.on('ping', () => (pings += 1));
    await until(() => pings >= 6, 'six heartbeats');
    expect(relay.executor.isAvailable('computer-1')).toBe(true);
  });

  it('[R1] notices within a heartbeat that another process has revoked the token', async () => {
    relay = await startRelay({ heartbeatMs: 500 });
    const daemon = await greet(relay);
    relay.directory.tokens.delete('computer-1');
    expect((await daemon.closed).code).toBe(4403);
  });

  it('[R3] serves a thousand computers that come back at once, while HTTP still answers', async () => {
    relay = await startRelay();
    const names = Array.from({ length: 1000 }, (_, n) => `fleet-${n}`);
    for (const name of names) relay.directory.tokens.set(name, `rt_${name}`);
    const all = Promise.all(names.map((name) => greet(relay, { token: `rt_${name}` })));
    const http = await fetch(`${relay.httpUrl}/ping`);
    expect(await http.text()).toBe('pong');
    const daemons: TestDaemon[] = await all;
    expect(relay.sessions.connectedComputers()).toHaveLength(1000);
    const answers = await Promise.all(
      daemons.map((daemon, n) => daemon.request('job.updated', update(`task-${n}`))),
    );
    expect(answers.every(({ result }) => result?.['acknowledged'] === 1)).toBe(true);
    for (const { socket } of daemons) socket.terminate();
    await until(() => relay.sessions.connectedComputers().length === 0, 'all are gone');
  });
});
