import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { DURABLE_CAPABILITY, MAX_FRAME_BYTES } from '../../../src/relay-protocol/index.js';
import { DaemonBench, order } from './support/daemon-bench.js';

describe('the link of the daemon', () => {
  let bench: DaemonBench;
  beforeEach(() => (bench = new DaemonBench()));
  afterEach(() => bench.end());

  const echo = { agents: { '*': { runtime: 'echo' } } };
  const waiting = { agents: { '*': { runtime: 'workflow', steps: [{ approval: 'Sure?' }] } } };

  it('[R2] introduces itself with protocol, capability, instance and agents, without compression', async () => {
    const api = await bench.api();
    const daemon = await bench.daemon(api, {
      agents: { helper: { runtime: 'echo' }, '*': { runtime: 'echo' } },
    });
    const session = await api.session();
    await daemon.connected;
    expect(session.hello).toMatchObject({
      protocol: 1,
      capabilities: [DURABLE_CAPABILITY],
      agents: ['helper', '*'],
    });
    expect(session.socket.protocol).toBe('hello.relay.v1');
    expect(session.socket.extensions).toBe('');
  });

  it('[R1] stops when the token is refused at the upgrade, without a second try', async () => {
    const api = await bench.api({ token: 'rt_other' });
    const daemon = await bench.daemon(api, echo);
    expect(await daemon.finished).toMatchObject({ reason: 'token_bad' });
    expect(api.upgrades).toBe(1);
    expect(JSON.stringify(bench.log)).not.toContain('rt_test');
  });

  it.each([
    ['http://127.0.0.1/relay', 'rt_test'],
    ['ws://127.0.0.1/relay#part', 'rt_test'],
    ['not an address', 'rt_test'],
    ['ws://127.0.0.1/relay', 'rt_two\nlines'],
  ])('does not start with the address %j and the token %j', async (url, token) => {
    const api = await bench.api();
    await expect(bench.daemon(api, echo, { url, token })).rejects.toMatchObject({ name: 'TypeError' });
  });

  it('keeps trying when the upgrade fails for another reason', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    let tries = 0;
    const second = new Promise<void>((resolve) => {
      server.on('upgrade', (_request, socket) => {
        socket.on('error', () => undefined);
        socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n');
        tries += 1;
        if (tries === 2) resolve();
      });
    });
    bench.onEnd(async () => void server.close());
    const api = { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/relay` };
    await bench.daemon(api as never, echo);
    await second;
  });

  it.each([
    [4401, '', 'token_bad'],
    [4403, '', 'token_revoked'],
    [4406, 'only protocol 2', 'incompatible'],
    [4409, 'instance someone-else took over', 'replaced'],
  ])('[R1] close code %i (%s) ends it for good: %s', async (code, reason, expected) => {
    const api = await bench.api();
    const daemon = await bench.daemon(api, echo);
    (await api.session()).socket.close(code, reason);
    expect(await daemon.finished).toMatchObject({ reason: expected });
  });

  it('[R2] stops when the API does not offer durable jobs', async () => {
    const api = await bench.api({ capabilities: [] });
    const daemon = await bench.daemon(api, echo);
    expect(await daemon.finished).toMatchObject({
      reason: 'incompatible',
      message: expect.stringContaining('durable'),
    });
  });

  it.each([1001, 1012, 4400, 4408, 4429, 4409])('[R3] connects again after close code %i', async (code) => {
    const api = await bench.api();
    await bench.daemon(api, echo);
    (await api.session()).socket.close(code);
    await api.session(2);
  });

  it('[B126] stays when its own newer connection took over', async () => {
    const api = await bench.api();
    await bench.daemon(api, echo);
    const session = await api.session();
    session.socket.close(4409, `instance ${session.hello?.daemon.instanceId} took over`);
    await api.session(2);
  });

  it('[R3] [B128] gives a silent link up after two and a half heartbeats and closes it before the next', async () => {
    const api = await bench.api({ heartbeatMs: 80 });
    await bench.daemon(api, echo);
    const first = await api.session();
    await api.session(2);
    await api.until('the end of the first link', () => first.closed);
  });

  it('[R3] keeps a link on which only pings come', async () => {
    const api = await bench.api({ heartbeatMs: 800 });
    await bench.daemon(api, echo);
    const session = await api.session();
    let pongs = 0;
    session.socket.on('pong', () => {
      pongs += 1;
      api.note();
    });
    const timer = setInterval(() => session.socket.ping(), 50);
    await api.until('three dead times of pings', () => pongs > 120);
    clearInterval(timer);
    expect(session.closed).toBeUndefined();
    expect(api.sessions).toHaveLength(1);
  });

  it('[R7] [B130] closes a link that brings something else than frames with 4400, and comes back', async () => {
    const api = await bench.api();
    await bench.daemon(api, echo);
    for (const [index, garbage] of ['not json', '[]', 'null', '{}', Buffer.from('{}')].entries()) {
      const session = await api.session(index + 1);
      session.socket.send(garbage);
      expect(await api.until('the close', () => session.closed)).toMatchObject({ code: 4400 });
    }
    await api.session(6);
  });

  it('[R7] answers an unknown method and wrong parameters and stays', async () => {
    const api = await bench.api();
    await bench.daemon(api, echo);
    const { peer } = await api.session();
    const options = {
      timeoutMs: 5000,
      result: { safeParse: (data: unknown) => ({ success: true, data }) } as never,
    };
    await expect(peer.call('job.nothing', {}, options)).rejects.toMatchObject({ code: -32601 });
    await expect(peer.call('job.status', { jobIds: 'x' }, options)).rejects.toMatchObject({ code: -32602 });
    await expect(peer.call('job.cancel', {}, options)).rejects.toMatchObject({ code: -32602 });
    expect(api.sessions).toHaveLength(1);
  });

  it('[R4] repeats an unanswered result on the next link until it is acknowledged, then no more', async () => {
    let silent = true;
    const api = await bench.api({
      acknowledge: (report) => (silent ? undefined : { acknowledged: report.revision }),
    });
    await bench.daemon(api, echo);
    const first = await api.session();
    const job = order();
    await first.submit(job);
    await api.update(job.jobId, 'succeeded');
    silent = false;
    api.updates.length = 0;
    first.socket.terminate();
    expect(await api.update(job.jobId, 'succeeded')).toMatchObject({ revision: 3, reply: 'hello' });
    const second = await api.session(2);
    await second.status(job.jobId);
    api.updates.length = 0;
    second.socket.terminate();
    const third = await api.session(3);
    expect(await third.status(job.jobId)).toEqual([
      expect.objectContaining({ state: 'succeeded', reply: 'hello' }),
    ]);
    expect(api.updates).toEqual([]);
  });

  it('[R4] repeats a result on the same link when the API cannot store it yet', async () => {
    let failures = 2;
    const api = await bench.api({
      acknowledge: (report) => {
        if (report.state === 'succeeded' && failures-- > 0) throw new Error('disk full');
        return { acknowledged: report.revision };
      },
    });
    api.behavior.onHello = (session) => Object.assign(session.peer, { options: quiet(session.peer) });
    await bench.daemon(api, echo, { timing: { updateRepeatMs: 20 } });
    const job = order();
    await (await api.session()).submit(job);
    await api.until(
      'three attempts',
      () => api.updates.filter((each) => each.state === 'succeeded').length === 3,
    );
    expect(api.sessions).toHaveLength(1);
  });

  /** The fake's peer throws on handler faults; this test makes some on purpose. */
  const quiet = (peer: object) => ({
    ...(peer as { options: object }).options,
    onHandlerError: () => undefined,
  });

  it('[R4] an update that nobody answers does not hold the others up', async () => {
    const api = await bench.api({
      acknowledge: (report) => (report.reply === 'stuck' ? undefined : { acknowledged: report.revision }),
    });
    await bench.daemon(api, echo);
    const session = await api.session();
    await session.submit(order({}, 'stuck'));
    const jobs = Array.from({ length: 40 }, (_, index) => order({}, String(index)));
    for (const job of jobs) await session.submit(job);
    for (const job of jobs) await api.update(job.jobId, 'succeeded');
  });

  it('[R4] drops a finished job of which the API knows nothing', async () => {
    const api = await bench.api({
      acknowledge: (report) => ({ acknowledged: report.revision, known: false }),
    });
    await bench.daemon(api, echo);
    const session = await api.session();
    const job = order();
    await session.submit(job);
    await api.update(job.jobId, 'succeeded');
    const deadline = Date.now() + 10_000;
    for (let state = ''; state !== 'unknown'; state = (await session.status(job.jobId))[0]?.state ?? '') {
      if (Date.now() > deadline) throw new Error(`the job is still ${state}`);
    }
  });

  it('[R4] an acknowledgement of an older revision does not count for the newer one', async () => {
    const api = await bench.api({
      acknowledge: (report) => ({ acknowledged: Math.min(report.revision, 2) }),
    });
    await bench.daemon(api, echo, { timing: { updateRepeatMs: 20 } });
    const job = order();
    await (await api.session()).submit(job);
    await api.until('a repetition', () => api.updates.filter((each) => each.revision === 3).length >= 2);
  });

  it('[R7] [B133] fails a job whose reply no frame of this link can carry, and others go on', async () => {
    const api = await bench.api({ maxFrameBytes: 4096 });
    await bench.daemon(api, echo);
    const session = await api.session();
    const [large, small] = [order({}, 'x'.repeat(5000)), order()];
    await session.submit(large);
    await session.submit(small);
    const report = await api.update(large.jobId, 'failed');
    expect(report).toMatchObject({ statusText: expect.stringContaining('too large') });
    expect(report).not.toHaveProperty('reply');
    await api.update(small.jobId, 'succeeded');
    const many = Array.from({ length: 50 }, (_, index) => `job-${index}-`.padEnd(120, 'x'));
    expect((await session.status(...many)).length).toBeLessThan(50);
    expect(api.sessions).toHaveLength(1);
  });

  it('[R7] [B133] fails the job over whose update a link was closed with 1009, and connects again', async () => {
    const api = await bench.api({
      acknowledge: (report) => (report.reply ? undefined : { acknowledged: report.revision }),
    });
    await bench.daemon(api, echo);
    const session = await api.session();
    const job = order({}, 'x'.repeat(5000));
    await session.submit(job);
    await api.update(job.jobId, 'succeeded');
    session.socket.close(1009);
    expect(await api.update(job.jobId, 'failed')).toMatchObject({ revision: 4 });
    expect(endOfLink()).toEqual({
      kind: 'closed',
      code: 1009,
      reason: 'a frame was too large for the API',
    });
  });

  it('[R7] [B133] says in its log that the API sent a frame that is too large, and connects again', async () => {
    const api = await bench.api();
    await bench.daemon(api, echo);
    (await api.session()).socket.send('x'.repeat(MAX_FRAME_BYTES + 1));
    await api.session(2);
    expect(endOfLink()).toEqual({ kind: 'failed', error: 'the API sent a frame over 2 MiB' });
  });

  function endOfLink(): unknown {
    return bench.log.find(({ message }) => message === 'The link to the API ended')?.fields;
  }

  it('[P6] sends a question again after a reconnect while it is open', async () => {
    const api = await bench.api({ acknowledge: () => undefined });
    await bench.daemon(api, waiting);
    const session = await api.session();
    const job = order();
    await session.submit(job);
    await api.update(job.jobId, 'input_required');
    api.updates.length = 0;
    session.socket.terminate();
    expect(await api.update(job.jobId, 'input_required')).toMatchObject({ statusText: 'Sure?' });
  });
});
