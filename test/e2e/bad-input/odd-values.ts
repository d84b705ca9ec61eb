import fc from 'fast-check';

export const nested = (levels: number, leaf: unknown = 1): unknown => {
  let value = leaf;
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { a: value };
  return value;
};

const NUMBERS = [
  -1,
  0,
  1,
  2,
  5,
  99,
  100,
  101,
  0.5,
  -0,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31),
  2 ** 53,
  1e21,
  1e308,
];
const LENGTHS = [1, 127, 128, 129, 512, 2_049, 7_999, 8_000, 8_001];
const CHARACTERS = ['x', 'é', '会', '😀', '\u0000', '\u202e', '"', '\\', '\u0301'];
const TEXTS = [
  '',
  ' ',
  '\n\t',
  '\ud800',
  'a\udc00b',
  '\ufeff',
  '\ufffe',
  'a\u0000b',
  '10',
  '-1',
  '1e2',
  'NaN',
  'null',
  'true',
  '__proto__',
  'constructor',
  'toString',
  "'; DROP TABLE tasks; --",
  '%00',
  '${7*7}',
  'ROLE_USER',
  'ROLE_AGENT',
  'ROLE_UNSPECIFIED',
  'role_user',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_UNSPECIFIED',
  'TASK_STATE_AUTH_REQUIRED',
  'TASK_STATE_RUNNING',
  'text/plain',
  'text/plain; charset=utf-8',
  'image/png',
  '*/*',
  '2026-01-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-01-01T05:30:00.123456789+05:30',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59-23:59',
  '+275760-09-13T00:00:00Z',
];

/** Texts whose length lies at the end of some rule, in characters that count differently. */
const longText = fc
  .tuple(fc.constantFrom(...CHARACTERS), fc.constantFrom(...LENGTHS))
  .map(([character, length]) => character.repeat(length));

export const oddText = fc.oneof(
  fc.constantFrom(...TEXTS),
  longText,
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);

const OBJECTS: unknown[] = [
  {},
  [],
  [null],
  [{}],
  [[]],
  { text: 'x' },
  { toString: 1, constructor: { prototype: 1 }, hasOwnProperty: null },
  JSON.parse('{"__proto__":{"polluted":1}}'),
  { then: 1 },
  { length: 5 },
  { '': 0 },
  { $ne: null },
];

/** Anything that may stand where something else belongs. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: oddText },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(...NUMBERS) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false) },
  { weight: 2, arbitrary: fc.constantFrom(...OBJECTS) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(90, 96, 97, 98, 101, 500).map((levels) => nested(levels)),
  },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }) },
);
