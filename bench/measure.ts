import { runLoad, type Load } from './load.js';
import { cpuSeconds, untilQuiet } from './process-usage.js';
import { median, percentile } from './statistics.js';

/** What one window of load cost and gave. */
export interface Window {
  cpuUs: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/**
 * Puts load on a server and counts its CPU until it is at rest again.
 * @param pid the server's process; its load generator and daemons are other ones
 */
export async function measure(pid: number, load: Load): Promise<Window> {
  await untilQuiet(pid);
  const before = cpuSeconds(pid);
  const { requests, seconds, latenciesMs } = await runLoad(load);
  if (requests === 0) throw new Error('nothing was asked in this window');
  await untilQuiet(pid);
  return {
    cpuUs: ((cpuSeconds(pid) - before) * 1_000_000) / requests,
    perSecond: requests / seconds,
    p50Ms: percentile(latenciesMs, 50),
    p99Ms: percentile(latenciesMs, 99),
  };
}

/** Of each figure the median over the windows. */
export function medianWindow(windows: readonly Window[]): Window {
  const of = (figure: (window: Window) => number) => median(windows.map(figure));
  return {
    cpuUs: of(({ cpuUs }) => cpuUs),
    perSecond: of(({ perSecond }) => perSecond),
    p50Ms: of(({ p50Ms }) => p50Ms),
    p99Ms: of(({ p99Ms }) => p99Ms),
  };
}
