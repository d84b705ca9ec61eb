import { describe, expect, it } from '@jest/globals';
import { parseSeconds } from './duration.js';

describe('parseSeconds', () => {
  it.each([
    ['90', 90],
    ['90s', 90],
    ['15m', 900],
    ['1h', 3600],
    ['7d', 604_800],
  ])('reads %s as %i seconds', (text, seconds) => {
    expect(parseSeconds(text, '--ttl')).toBe(seconds);
  });

  it.each(['', '0', '-1', '1.5h', '1w', 'none', '1hnone'])('refuses %j and names the option', (text) => {
    expect(() => parseSeconds(text, '--ttl')).toThrow('--ttl must be a time');
  });
});
