import { readMetrics, valueOf } from './support/prometheus-text.js';

const family = (type: string, ...samples: string[]) =>
  ['# HELP a_thing_total What it is', `# TYPE a_thing_total ${type}`, ...samples, ''].join('\n');
const histogram = (...samples: string[]) =>
  ['# HELP took_seconds Time', '# TYPE took_seconds histogram', ...samples, ''].join('\n');

describe('readMetrics', () => {
  it('[O2] reads what is right', () => {
    const families = readMetrics(
      family('counter', 'a_thing_total{kind="x\\"y"} 2', 'a_thing_total{kind="z"} 1e+3') +
        histogram(
          'took_seconds_bucket{le="1"} 1',
          'took_seconds_bucket{le="+Inf"} 2',
          'took_seconds_sum 3',
          'took_seconds_count 2',
        ),
    );
    expect(valueOf(families, 'a_thing_total', { kind: 'z' })).toBe(1000);
    expect(valueOf(families, 'took_seconds_bucket', { le: '+Inf' })).toBe(2);
  });

  it.each([
    ['no HELP', '# TYPE a_total counter\na_total 1\n'],
    ['a sample without a family', 'a_total 1\n'],
    ['a counter without _total', '# HELP a Thing\n# TYPE a counter\na 1\n'],
    ['a gauge with _total', family('gauge', 'a_thing_total 1')],
    ['an unknown type', family('number', 'a_thing_total 1')],
    ['a series twice', family('counter', 'a_thing_total{a="1",b="2"} 1', 'a_thing_total{b="2",a="1"} 1')],
    ['a label twice', family('counter', 'a_thing_total{a="1",a="1"} 1')],
    ['a value that is no number', family('counter', 'a_thing_total NaN')],
    [
      'a unit that is no base unit',
      '# HELP took_milliseconds T\n# TYPE took_milliseconds gauge\ntook_milliseconds 1\n',
    ],
    ['a raw quote in a label', family('counter', 'a_thing_total{a="x"y"} 1')],
    [
      'a histogram without its last bucket',
      histogram('took_seconds_bucket{le="1"} 1', 'took_seconds_sum 3', 'took_seconds_count 1'),
    ],
    [
      'a histogram whose counts fall',
      histogram(
        'took_seconds_bucket{le="1"} 2',
        'took_seconds_bucket{le="+Inf"} 1',
        'took_seconds_sum 3',
        'took_seconds_count 1',
      ),
    ],
    ['a histogram without a sum', histogram('took_seconds_bucket{le="+Inf"} 1', 'took_seconds_count 1')],
    ['an open last line', '# HELP a_total T\n# TYPE a_total counter\na_total 1'],
    [
      'too many series',
      family('counter', ...Array.from({ length: 1001 }, (_, at) => `a_thing_total{id="${at}"} 1`)),
    ],
  ])('[O2] refuses %s', (_, text) => {
    expect(() => readMetrics(text)).toThrow();
  });
});
