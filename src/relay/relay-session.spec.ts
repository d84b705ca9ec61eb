import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { TaskReports } from '../tasks/index.js';
import { Heartbeats } from './heartbeats.js';
import { RelaySession, type SessionEvents } from './relay-session.js';
import { RelayStatistics } from './relay-statistics.js';
import type { SessionServices } from './session-services.js';

/** As much of a socket as a session that hears nothing needs. */
class SilentSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  readonly closings: { code: number; reason: string }[] = [];
  close(code: number, reason: string): void {
    this.closings.push({ code, reason });
  }
  terminate(): void {
    this.emit('close', 1006, Buffer.alloc(0));
  }
  ping(): void {
    // Nobody is there to answer.
  }
  readonly flow: string[] = [];
  pause(): void {
    this.flow.push('pause');
  }
  resume(): void {
    this.flow.push('resume');
  }
  readonly written: string[] = [];
  readonly stream = {
    bytesRead: 0,
    cork: () => this.written.push('cork'),
    uncork: () => this.written.push('uncork'),
  };
  send(): void {
    this.written.push('frame');
  }
  hear(frame: object): void {
    this.emit('message', Buffer.from(JSON.stringify(frame)), false);
  }
}

const sockets: SilentSocket[] = [];

function sessionOn(socket: SilentSocket, reports: Pick<TaskReports, 'take'>): { ended: number[] } {
  sockets.push(socket);
  const ended: number[] = [];
  const events: SessionEvents = {
    onReady: () => undefined,
    onAlive: () => undefined,
    onEnd: (_session, code) => ended.push(code),
  };
  const services = {
    settings: { heartbeatMs: 60_000, maxInFlight: 64 },
    ids: { next: () => 'session-1' },
    clock: { now: () => 0 },
    reports,
    helloTimeoutMs: 10_000,
    heartbeats: new Heartbeats(60_000),
    statistics: new RelayStatistics(),
  } as SessionServices;
  const link = { socket: socket as unknown as WebSocket, stream: socket.stream as unknown as Socket };
  new RelaySession({ computerId: 'computer-1', tokenHash: 'x' }, link, services, events);
  return { ended };
}

describe('RelaySession', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => {
    // A link that is left open beats on, in whatever runs next.
    for (const socket of sockets.splice(0)) socket.terminate();
    jest.useRealTimers();
  });

  it('[R2] ends with 4408 when no hello comes in time, and cuts a socket that does not take part in closing', () => {
    const socket = new SilentSocket();
    const { ended } = sessionOn(socket, { take: () => Promise.reject(new Error('not expected')) });
    let gone = false;
    socket.on('close', () => (gone = true));
    jest.advanceTimersByTime(9_999);
    expect(socket.closings).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(socket.closings).toEqual([{ code: 4408, reason: 'no relay.hello in time' }]);
    expect(ended).toEqual([4408]);
    jest.advanceTimersByTime(2_000);
    expect(gone).toBe(true);
    expect(ended).toEqual([4408]);
  });

  it('[R7] reads no further while as many updates as are allowed wait for the store', async () => {
    const socket = new SilentSocket();
    const commits: (() => void)[] = [];
    sessionOn(socket, {
      take: () => new Promise((resolve) => commits.push(() => resolve({ kind: 'unknown' }))),
    });
    const daemon = { name: 'test', version: '1', instanceId: 'i' };
    const hello = { protocol: 1, daemon, capabilities: [], agents: [] };
    socket.hear({ jsonrpc: '2.0', id: 0, method: 'relay.hello', params: hello });
    const params = { state: 'running', revision: 1, updatedAt: '2026-01-02T03:04:05.678Z' };
    const hear = (n: number) =>
      socket.hear({
        jsonrpc: '2.0',
        id: n,
        method: 'job.updated',
        params: { ...params, jobId: `task-${n}` },
      });
    for (let n = 1; n <= 64; n += 1) hear(n);
    expect(socket.flow).toEqual([]);
    hear(65);
    expect(socket.flow).toEqual(['pause']);
    expect(commits).toHaveLength(64);
    commits[0]?.();
    while (commits.length < 65) await Promise.resolve();
    expect(socket.flow).toEqual(['pause', 'resume']);
  });

  it('writes the frames of one turn at once', async () => {
    jest.useRealTimers();
    const socket = new SilentSocket();
    sessionOn(socket, { take: () => Promise.resolve({ kind: 'unknown' }) });
    const daemon = { name: 'test', version: '1', instanceId: 'i' };
    const hello = { protocol: 1, daemon, capabilities: [], agents: [] };
    socket.hear({ jsonrpc: '2.0', id: 0, method: 'relay.hello', params: hello });
    await new Promise((resolve) => setImmediate(resolve));
    expect(socket.written.splice(0)).toEqual(['cork', 'frame', 'uncork']);
    for (const id of [1, 2, 3]) socket.hear({ jsonrpc: '2.0', id, method: 'none' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(socket.written).toEqual(['cork', 'frame', 'frame', 'frame', 'uncork']);
  });
});
