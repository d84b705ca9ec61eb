import { Distribution } from './distribution.js';
import { Tally } from './tally.js';

describe('Distribution', () => {
  it('[O2] counts a value at every bound that is not below it', () => {
    const sizes = new Distribution([1, 5]);
    for (const value of [0.5, 1, 1.1, 5, 6]) sizes.observe(value);
    expect(sizes.cumulative()).toEqual([2, 4]);
    expect(sizes.count).toBe(5);
    expect(sizes.sum).toBeCloseTo(13.6);
  });
});

describe('Tally', () => {
  it('[O2] shows each word from the beginning', () => {
    const ends = new Tally(['settled', 'timeout']);
    ends.add('timeout');
    ends.add('timeout', 2);
    expect(ends.entries()).toEqual([
      ['settled', 0],
      ['timeout', 3],
    ]);
  });
});
