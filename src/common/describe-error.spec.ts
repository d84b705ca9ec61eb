import { asError, describeError, stackOf } from './describe-error.js';

const raise = (): never => {
  throw new Error('thrown at');
};

/** What code of others may throw, and no program can make a text of. */
const UNREADABLE: [string, unknown][] = [
  ['a proxy whose every trap throws', new Proxy({}, { get: raise, getPrototypeOf: raise, ownKeys: raise })],
  ['a proxy of an error', new Proxy(new Error('x'), { get: raise })],
  ['an error whose message throws', Object.defineProperty(new Error('x'), 'message', { get: raise })],
  ['an object whose names throw', new Proxy({}, { ownKeys: raise })],
];

describe('what is said about what was thrown', () => {
  it.each(UNREADABLE)('is a text, and never thrown: %s', (_, thrown) => {
    expect(describeError(thrown)).toBe('something that cannot be read');
    expect(() => stackOf(thrown)).not.toThrow();
    expect(asError(thrown).message).toBe('something that cannot be read');
  });

  it.each<[string, unknown, string]>([
    ['an object without a prototype', Object.create(null), 'Object {}'],
    ['an object whose toString throws', { toString: raise }, 'Object { toString }'],
    [
      'an error of an interface',
      { code: 'E_STOCK', message: 'no chairs', parts: ['private'] },
      'Object { code: "E_STOCK", message: "no chairs", parts }',
    ],
    [
      'an error whose message is an object',
      Object.assign(new TypeError('x'), { message: { text: 'private' } }),
      'TypeError {}',
    ],
    ['a list', ['private'], 'Array { 0 }'],
    ['a function', function stock() {}, 'function stock'],
    ['a symbol', Symbol('gone'), 'Symbol(gone)'],
    ['nothing', undefined, 'undefined'],
    ['a text', 'no chairs', 'no chairs'],
    ['an error', new Error('no chairs'), 'no chairs'],
    ['an error without a message', new RangeError(), 'RangeError'],
    ['several', new AggregateError([new Error('one'), { code: 2 }]), 'one; Object { code: 2 }'],
  ])('names what helps, and repeats nothing else: %s', (_, thrown, text) => {
    expect(describeError(thrown)).toBe(text);
  });

  it('is bounded, also when an error consists of itself', () => {
    const wide = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`member${index}`, index]));
    expect(describeError(wide)).toMatch(/^Object \{ member0, .*member9, … \}$/);
    expect(describeError({ message: 'x'.repeat(10_000) }).length).toBeLessThan(300);
    expect(describeError('x'.repeat(10_000))).toHaveLength(1_000);
    const own = new AggregateError([new Error('x')]);
    own.errors.push(own, own);
    expect(describeError(own).length).toBeLessThan(1_000);
  });

  it('leaves an error that can be read as it is', () => {
    const error = new RangeError('too far');
    expect(asError(error)).toBe(error);
    expect(stackOf(error)).toContain('describe-error.spec');
  });
});
