import { figures, type Figures } from './figures.js';
import { median } from './statistics.js';

/** The least and the most that several runs found, by the kinds and names of figures. */
export type Spread = Record<keyof Figures, Record<string, readonly [number, number]>>;

/**
 * Of each figure the median over the runs that found it, and how far they lie apart.
 * @throws for no runs
 */
export function combine(runs: readonly Figures[]): { medians: Figures; spread: Spread } {
  const [first] = runs;
  if (!first) throw new Error('There is nothing to combine');
  const medians = figures();
  const spread: Spread = { ratios: {}, cpuUs: {}, perSecond: {}, latencyMs: {}, memoryMb: {}, seconds: {} };
  for (const kind of Object.keys(medians) as (keyof Figures)[]) {
    for (const name of new Set(runs.flatMap((run) => Object.keys(run[kind])))) {
      const values = runs.map((run) => run[kind][name]).filter((value) => value !== undefined);
      medians[kind][name] = median(values);
      spread[kind][name] = [Math.min(...values), Math.max(...values)];
    }
  }
  return { medians, spread };
}
