import { parseFrame } from './envelope.js';

const read = (members: object) => parseFrame(JSON.stringify({ jsonrpc: '2.0', ...members }));

describe('the envelope of a frame', () => {
  it.each([
    '',
    'hello',
    '[]',
    'null',
    '3',
    '"text"',
    '{}',
    '{"jsonrpc":"2.0"}',
    '{"jsonrpc":"2.0","id":1}',
    '{"jsonrpc":"1.0","id":1,"method":"a"}',
    '{"id":1,"method":"a"}',
    '[{"jsonrpc":"2.0","id":1,"method":"a"}]',
  ])('[R7] [B130] %j is none', (text) => {
    expect(parseFrame(text)).toBeUndefined();
  });

  it.each([[1], [-7], [0], [Number.MAX_SAFE_INTEGER], ['one'], [''], ['x'.repeat(128)]])(
    '[R7] the id %j can be repeated in the answer',
    (id) => {
      expect(read({ id, method: 'a' })).toMatchObject({ kind: 'request', id });
      expect(read({ id, result: {} })).toMatchObject({ kind: 'result', id });
    },
  );

  it.each([[null], [true], [1.5], [2 ** 53], [{}], [[1]], ['x'.repeat(129)]])(
    '[R7] a request with the id %j is invalid, and an answer with it belongs to nothing',
    (id) => {
      expect(read({ id, method: 'a' })).toMatchObject({ kind: 'invalid', id: null });
      expect(read({ id, result: {} })).toEqual({ kind: 'ignored' });
      expect(read({ id, error: { code: 1, message: 'no' } })).toEqual({ kind: 'ignored' });
    },
  );

  it('[R7] a number too large for any id is invalid', () => {
    expect(parseFrame('{"jsonrpc":"2.0","id":1e400,"method":"a"}')).toMatchObject({ kind: 'invalid' });
  });

  it.each([[null], [7], [{}]])('[R7] a request with the method %j is invalid under its own id', (method) => {
    expect(read({ id: 5, method })).toMatchObject({ kind: 'invalid', id: 5 });
    expect(read({ method })).toEqual({ kind: 'ignored' });
  });

  it('[R7] leaves params to the method, and takes missing ones for none', () => {
    expect(read({ id: 1, method: 'a' })).toMatchObject({ params: {} });
    expect(read({ id: 1, method: 'a', params: null })).toMatchObject({ params: null });
    expect(read({ method: 'a', params: [1] })).toEqual({
      kind: 'request',
      id: undefined,
      method: 'a',
      params: [1],
    });
  });

  it.each([
    [{ error: null }],
    [{ error: 'no' }],
    [{ error: { code: '1', message: 'no' } }],
    [{ error: { code: 1.5, message: 'no' } }],
    [{ error: { code: 1 } }],
    [{ error: { code: 1, message: 'no' }, result: {} }],
  ])('[R7] %j is an answer that cannot be read', (members) => {
    expect(read({ id: 1, ...members })).toEqual({ kind: 'unreadable', id: 1 });
  });

  it('[R7] reads the reason of a refusal, and none from data of another form', () => {
    const error = { code: -32000, message: 'no' };
    const expected = { kind: 'error', id: 1, ...error };
    expect(read({ id: 1, error: { ...error, data: { reason: 'draining' } } })).toEqual({
      ...expected,
      reason: 'draining',
    });
    expect(read({ id: 1, error: { ...error, data: ['draining'] } })).toEqual({
      ...expected,
      reason: undefined,
    });
  });
});
