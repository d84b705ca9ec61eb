/** The middle value; of an even number of values the mean of the two in the middle. @throws for no values */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new Error('There is no median of no values');
  return (upper + lower) / 2;
}

/**
 * The smallest value that at least `percent` of the values do not exceed (nearest rank).
 * @throws for no values
 */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = Float64Array.from(values).sort();
  const value = sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
  if (value === undefined) throw new Error('There is no percentile of no values');
  return value;
}
