import { Backoff } from './backoff.js';

describe('Backoff', () => {
  it('doubles its bound from 0.5 s to 30 s', () => {
    const backoff = new Backoff(() => 1);
    const bounds = Array.from({ length: 9 }, () => backoff.next());
    expect(bounds).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('spreads each pause over everything below the bound', () => {
    const values = [0, 0.5, 0.25];
    const backoff = new Backoff(() => values.shift() ?? 1);
    expect([backoff.next(), backoff.next(), backoff.next()]).toEqual([0, 500, 500]);
  });

  it('starts anew after a healthy link', () => {
    const backoff = new Backoff(() => 1);
    backoff.next();
    backoff.next();
    backoff.reset();
    expect(backoff.next()).toBe(500);
  });

  it('waits at most a second after a restart of the API', () => {
    expect(new Backoff(() => 1).afterRestart()).toBe(1000);
  });
});
