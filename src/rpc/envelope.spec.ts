import { classifyEnvelope, type Envelope } from './envelope.js';

const classify = (body: unknown): Envelope =>
  classifyEnvelope(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));
const outcome = (body: unknown) => {
  const envelope = classify(body);
  return envelope.kind === 'request' ? 'request' : [envelope.error.code, envelope.id];
};
const request = (members: object) => ({ jsonrpc: '2.0', id: 1, method: 'GetTask', params: {}, ...members });

describe('classifyEnvelope', () => {
  it.each(['{"a":', '', 'hello', '   '])('[W3] [B35] answers -32700 with id null to %j', (body) => {
    expect(outcome(body)).toEqual([-32700, null]);
  });

  it('[B35] refuses bytes that are not UTF-8 and skips a byte order mark', () => {
    const valid = Buffer.from(JSON.stringify(request({})));
    const broken = classifyEnvelope(Buffer.concat([valid, Buffer.from([0xff])]));
    expect(broken).toMatchObject({ kind: 'invalid', error: { code: -32700 } });
    expect(classifyEnvelope(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), valid])).kind).toBe('request');
  });

  it.each([[[]], [[request({})]], [[request({}), request({ id: 2 })]], [null], ['"hi"'], [7], [true]])(
    '[W3] [B39] answers one -32600 with id null to %j',
    (body) => {
      expect(outcome(body)).toEqual([-32600, null]);
    },
  );

  it.each([7, '7', 0, '', null, -3, Number.MAX_SAFE_INTEGER])(
    '[W3] [B33] keeps the id %j and its type',
    (id) => {
      expect(classify(request({ id }))).toMatchObject({ kind: 'request', id });
    },
  );

  it.each(['{}', 'true', '[]', '1.5', '9007199254740993', '1e999'])(
    '[W3] [B33] refuses the id %s with -32600 and id null',
    (id) => {
      expect(outcome(`{"jsonrpc":"2.0","id":${id},"method":"GetTask"}`)).toEqual([-32600, null]);
    },
  );

  it('[W3] refuses a request without an id', () => {
    expect(outcome({ jsonrpc: '2.0', method: 'GetTask' })).toEqual([-32600, null]);
  });

  it.each([{ jsonrpc: '1.0' }, { jsonrpc: undefined }, { method: undefined }, { method: '' }, { method: 5 }])(
    '[W3] refuses %j with -32600 and the id',
    (members) => {
      expect(outcome(request(members))).toEqual([-32600, 1]);
    },
  );

  it.each([[[]], [['x']], ['"x"'], [5], [true]])('[W3] [B34] refuses params %j with -32602', (params) => {
    const sent = typeof params === 'string' ? JSON.parse(params) : params;
    expect(outcome(request({ params: sent }))).toEqual([-32602, 1]);
  });

  it.each([undefined, null])('[B34] takes params %j as empty', (params) => {
    expect(classify(request({ params }))).toMatchObject({ kind: 'request', params: {} });
  });

  it('[B09] ignores unknown members', () => {
    expect(outcome(request({ extra: { a: 1 } }))).toBe('request');
  });

  it.each([1_000, 6_000, 30_000])(
    '[B20] refuses %d levels of nesting without exhausting the stack',
    (depth) => {
      const arrays = '['.repeat(depth) + ']'.repeat(depth);
      expect(outcome(`{"jsonrpc":"2.0","id":1,"method":"x","params":{"metadata":${arrays}}}`)).toEqual([
        -32602, 1,
      ]);
      const objects = '{"a":'.repeat(depth / 6) + '1' + '}'.repeat(depth / 6);
      expect(outcome(`{"jsonrpc":"2.0","id":1,"method":"x","params":{"metadata":${objects}}}`)).toEqual([
        -32602, 1,
      ]);
    },
  );

  it('[W6] refuses text that no strict parser could read back, in values and keys', () => {
    expect(outcome('{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"\\ud800"}}')).toEqual([-32602, 1]);
    expect(outcome('{"jsonrpc":"2.0","id":1,"method":"x","params":{"\\udc00":1}}')).toEqual([-32602, 1]);
    expect(outcome('{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":1e999}}')).toEqual([-32602, 1]);
    expect(outcome('{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"\\ud83d\\ude00"}}')).toBe('request');
  });

  it('[W8] [B21] keeps __proto__ as data and changes nothing', () => {
    const envelope = classify('{"jsonrpc":"2.0","id":1,"method":"x","params":{"__proto__":{"x":1}}}');
    expect(envelope.kind).toBe('request');
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});
