import assert from 'node:assert/strict';
import type { Clock } from '../common/index.js';
import type { Rule } from './rule.js';

/** 2001-09-09 in milliseconds; a thousand times as much is a time in microseconds. */
const MANY_MS = 1_000_000_000_000;

/** What `Clock` promises. */
export const CLOCK_RULES: readonly Rule<Clock>[] = [
  {
    title: 'the time is a whole number of milliseconds',
    async check(clock) {
      for (let look = 0; look < 100; look += 1) assert.ok(Number.isSafeInteger(clock.now()));
    },
  },
  {
    title: 'the time counts from the epoch, in milliseconds and nothing else',
    async check(clock) {
      assert.ok(clock.now() > MANY_MS && clock.now() < MANY_MS * 1000);
    },
  },
];
