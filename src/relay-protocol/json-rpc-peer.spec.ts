import { z } from 'zod';
import { JsonRpcPeer, RefusedError, UnansweredError } from './json-rpc-peer.js';

const OPTIONS = { timeoutMs: 10_000, result: z.object({}) };

function peerThatSends(): { peer: JsonRpcPeer; sent: object[]; hear: (members: object) => boolean } {
  const sent: object[] = [];
  const peer = new JsonRpcPeer({
    send: (text) => sent.push(JSON.parse(text) as object) > 0,
    methods: { echo: async (params) => params as object },
    maxInFlight: 8,
    onHandlerError: () => undefined,
  });
  return { peer, sent, hear: (members) => peer.receive(JSON.stringify({ jsonrpc: '2.0', ...members })) };
}

describe('JsonRpcPeer', () => {
  it.each([
    [{ id: null, method: 'echo' }, null, -32600],
    [{ id: true, method: 'echo' }, null, -32600],
    [{ id: 2, method: 7 }, 2, -32600],
    [{ id: 3, method: '' }, 3, -32601],
    [{ id: 4, method: 'constructor' }, 4, -32601],
    [{ id: 5, method: 'echo', params: [1] }, 5, -32602],
    [{ id: 6, method: 'echo', params: null }, 6, -32602],
    [{ id: 7, method: 'echo', params: 'text' }, 7, -32602],
  ])('[R7] answers %j under the id %j with %i and goes on', async (members, id, code) => {
    const { peer, sent, hear } = peerThatSends();
    expect(hear(members)).toBe(true);
    expect(hear({ id: 'after', method: 'echo', params: { a: 1 } })).toBe(true);
    await new Promise(setImmediate);
    expect(sent).toEqual([
      { jsonrpc: '2.0', id, error: { code, message: expect.any(String) } },
      { jsonrpc: '2.0', id: 'after', result: { a: 1 } },
    ]);
    peer.close();
  });

  it('[R7] says nothing to a notification that is wrong', async () => {
    const { sent, hear } = peerThatSends();
    for (const members of [{ method: 'echo', params: [] }, { method: 7 }, { method: 'nothing' }]) {
      expect(hear(members)).toBe(true);
    }
    await new Promise(setImmediate);
    expect(sent).toEqual([]);
  });

  it.each([
    [{ result: null }],
    [{ result: [] }],
    [{ result: 'text' }],
    [{ error: 'no' }],
    [{ error: { code: 'x', message: 'no' } }],
    [{ error: { code: -32000, message: 'no' }, result: {} }],
  ])('[R7] [S8] takes the answer %j for none, at once and without an end of the link', async (members) => {
    const { peer, hear } = peerThatSends();
    const [first, second] = [peer.call('a', {}, OPTIONS), peer.call('b', {}, OPTIONS)];
    expect(hear({ id: 1, ...members })).toBe(true);
    await expect(first).rejects.toBeInstanceOf(UnansweredError);
    expect(hear({ id: 2, error: { code: -32000, message: 'no', data: { reason: 'draining' } } })).toBe(true);
    await expect(second).rejects.toEqual(new RefusedError(-32000, 'no', 'draining'));
    expect(peer.inFlight).toBe(0);
  });
});
