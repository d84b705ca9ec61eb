/**
 * What a run found, by name. CPU is that of the server alone, user and system, all threads. `ratios` compare CPU, and above 1
 * mean that hello-api serves more per CPU second, unless the name says otherwise (docs/performance.md).
 */
export interface Figures {
  ratios: Record<string, number>;
  cpuUs: Record<string, number>;
  perSecond: Record<string, number>;
  latencyMs: Record<string, number>;
  memoryMb: Record<string, number>;
  seconds: Record<string, number>;
}

export function figures(found: Partial<Figures> = {}): Figures {
  return { ratios: {}, cpuUs: {}, perSecond: {}, latencyMs: {}, memoryMb: {}, seconds: {}, ...found };
}

/** All figures of several parts of a run. */
export function mergeFigures(parts: readonly Figures[]): Figures {
  const all = figures();
  for (const part of parts) {
    for (const kind of Object.keys(all) as (keyof Figures)[]) Object.assign(all[kind], part[kind]);
  }
  return all;
}
