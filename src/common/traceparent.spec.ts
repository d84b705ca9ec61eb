import { readTraceparent, traceIdOf } from './traceparent.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const WHOLE = `00-${TRACE}-${SPAN}-01`;

describe('readTraceparent', () => {
  it('[O2] reads a trace context', () => {
    expect(readTraceparent(WHOLE)).toBe(WHOLE);
    expect(traceIdOf(WHOLE)).toBe(TRACE);
  });

  it('[O2] takes what it knows of a later version', () => {
    expect(readTraceparent(`cc-${TRACE}-${SPAN}-01-what-comes-later`)).toBe(WHOLE);
  });

  it.each([
    [undefined],
    [''],
    [`00-${TRACE}-${SPAN}`],
    [`00-${TRACE}-${SPAN}-01-more`],
    [`ff-${TRACE}-${SPAN}-01`],
    [`00-${'0'.repeat(32)}-${SPAN}-01`],
    [`00-${TRACE}-${'0'.repeat(16)}-01`],
    [`00-${TRACE.toUpperCase()}-${SPAN}-01`],
    [`00-${TRACE}-${SPAN}-0g`],
    [`${WHOLE}, ${WHOLE}`],
    [`${WHOLE}\n`],
    [`cc-${TRACE}-${SPAN}-01-${'x'.repeat(200)}`],
    [[WHOLE]],
  ])('[O2] ignores %j', (header) => {
    expect(readTraceparent(header)).toBeUndefined();
  });
});
