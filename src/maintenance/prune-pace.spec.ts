import { PrunePace } from './prune-pace.js';

describe('the pace of pruning', () => {
  let nowMs = 0;
  let pace: PrunePace;
  beforeEach(() => {
    pace = new PrunePace(() => nowMs);
  });

  /** @returns the size of a batch that takes so long, and the pause after it */
  function batchOf(tookMs: number): [number, number] {
    const size = pace.begin();
    nowMs += tookMs;
    return [size, pace.end()];
  }

  it('[K2] halves batches that others have to wait for, and pauses longer than they took', () => {
    expect([batchOf(40), batchOf(20), batchOf(11), batchOf(8)]).toEqual([
      [100, 120],
      [50, 60],
      [25, 33],
      [12, 24],
    ]);
  });

  it('[K2] always goes on, and always lets others in', () => {
    for (let round = 0; round < 20; round += 1) batchOf(1_000);
    expect(batchOf(1_000)).toEqual([10, 3_000]);
    for (let round = 0; round < 20; round += 1) batchOf(0);
    expect(batchOf(0)).toEqual([100, 5]);
  });
});
