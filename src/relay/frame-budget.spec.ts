import { FrameBudget } from './frame-budget.js';

function spendAll(budget: FrameBudget, length = 10): number {
  let frames = 0;
  while (budget.spend(length) !== undefined) frames += 1;
  return frames;
}

describe('FrameBudget', () => {
  it('[R7] allows a burst, then a steady rate', () => {
    let nowMs = 0;
    const budget = new FrameBudget(() => nowMs);
    expect(spendAll(budget)).toBe(5000);
    nowMs += 100;
    expect(spendAll(budget)).toBe(100);
    nowMs += 3_600_000;
    expect(spendAll(budget)).toBe(5000);
  });

  it('[R7] counts large frames for what they are', () => {
    const budget = new FrameBudget(() => 0);
    expect(budget.spend(2 * 1024 * 1024)).toBe(129);
    expect(spendAll(budget, 2 * 1024 * 1024)).toBe(37);
  });

  it('[R4] never limits what is paid back, and pays back no more than the burst', () => {
    const budget = new FrameBudget(() => 0);
    for (let n = 0; n < 20_000; n += 1) budget.payBack(budget.spend(10) ?? Number.NaN);
    budget.payBack(100);
    expect(spendAll(budget)).toBe(5000);
  });
});
