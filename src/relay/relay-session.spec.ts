import { EventEmitter } from 'node:events';
import type { WebSocket } from 'ws';
import { RelaySession, type SessionEvents } from './relay-session.js';
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
  resume(): void {}
}

describe('RelaySession', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('[R2] ends with 4408 when no hello comes in time, and cuts a socket that does not take part in closing', () => {
    const socket = new SilentSocket();
    const ended: number[] = [];
    const events: SessionEvents = {
      onReady: () => undefined,
      onAlive: () => undefined,
      onEnd: (_session, code) => ended.push(code),
    };
    const services = {
      settings: { heartbeatMs: 60_000, maxInFlight: 64 },
      ids: { next: () => 'session-1' },
      helloTimeoutMs: 10_000,
    } as SessionServices;
    const link = { socket: socket as unknown as WebSocket, bytesRead: () => 0 };
    new RelaySession({ computerId: 'computer-1', tokenHash: 'x' }, link, services, events);
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
});
