import type { SubmitParams } from '../../relay-protocol/index.js';
import { fingerprintOf } from './fingerprint.js';

describe('fingerprintOf', () => {
  const order: SubmitParams = {
    jobId: 'j',
    agent: 'a',
    contextId: 'c',
    caller: { accountId: 'u' },
    origin: 'a2a',
    interactive: false,
    message: { messageId: 'm', text: 't', metadata: { x: 1, y: [{ b: 1, a: 2 }] } },
    createdAt: '2026-01-01T00:00:00.000Z',
    expiresAt: '2026-01-08T00:00:00.000Z',
  };

  it('[R4] is the same for the same content, whatever the times, the trace and the order of keys', () => {
    const again: SubmitParams = {
      ...order,
      createdAt: '2026-01-02T00:00:00.000Z',
      traceparent: '00-1',
      message: { text: 't', metadata: { y: [{ a: 2, b: 1 }], x: 1 }, messageId: 'm' },
    };
    expect(fingerprintOf(again)).toBe(fingerprintOf(order));
  });

  it.each<Partial<SubmitParams>>([
    { agent: 'b' },
    { contextId: 'd' },
    { caller: { accountId: 'v' } },
    { interactive: true },
    { message: { ...order.message, text: 'u' } },
    { message: { ...order.message, metadata: { x: 1, y: [{ b: 1, a: 3 }] } } },
  ])('[R4] differs for %j', (change) => {
    expect(fingerprintOf({ ...order, ...change })).not.toBe(fingerprintOf(order));
  });
});
