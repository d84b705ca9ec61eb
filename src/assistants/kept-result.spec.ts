import { asKept } from './kept-result.js';

const circle: { self?: unknown } = {};
circle.self = circle;

describe('the result of once', () => {
  it.each([
    ['nothing', undefined, undefined],
    ['null', null, null],
    ['a text', 'text', 'text'],
    ['a date, as its text', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['members without a value', { a: 1, b: undefined }, { a: 1 }],
    ['what stands in it twice', [1, [[]], [[]]], [1, [[]], [[]]]],
  ])('is kept as JSON keeps it: %s', (_, result, kept) => {
    expect(asKept(result, 'once("x")')).toEqual(kept);
  });

  it.each([
    ['a bigint', 1n, 'a bigint'],
    ['a function', () => 1, 'a function'],
    ['a symbol in a list', [Symbol('s')], 'a symbol (at [0])'],
    ['no number', { sum: { net: Number.NaN } }, 'NaN (at sum.net)'],
    ['a map', { items: [new Map()] }, 'a Map (at items[0])'],
    ['an error', { failure: new RangeError('secret') }, 'a RangeError (at failure)'],
  ])('is refused where JSON would lose it, and says where: %s', (_, result, what) => {
    expect(() => asKept(result, 'once("x")')).toThrow(
      `once("x"): its result cannot be kept, since JSON has no form for ${what}`,
    );
  });

  it('is refused when it contains itself', () => {
    expect(() => asKept(circle, 'once("x")')).toThrow(/^once\("x"\): .* contains itself$/);
  });
});
