import { figures, type Figures } from './figures.js';
import type { Window } from './measure.js';
import type { CompareResult } from './rows/compare.js';
import type { SystemName } from './systems/system.js';

/** The other systems as they are called in the names of ratios. */
const RATIO_NAMES: Record<Exclude<SystemName, 'hello'>, string> = {
  http: 'http',
  sdkMemory: 'sdk_memory',
  sdkDatabase: 'sdk_database',
};

/** Ratios are those at 64 connections. */
export function callFigures({ windows, memoryMb }: CompareResult): Figures {
  const found = figures();
  for (const [row, bySystem] of windows) {
    for (const [system, window] of bySystem) record(found, `${row}.${system}`, window);
    const [name, connections] = row.split('@');
    const hello = bySystem.get('hello');
    if (connections !== '64' || !hello) continue;
    for (const [system, ratioName] of Object.entries(RATIO_NAMES)) {
      const peer = bySystem.get(system as SystemName);
      if (peer) found.ratios[`${name}_vs_${ratioName}`] = peer.cpuUs / hello.cpuUs;
    }
  }
  for (const [system, { atStart, atEnd }] of memoryMb) {
    found.memoryMb[`calls.${system}.atStart`] = atStart;
    found.memoryMb[`calls.${system}.atEnd`] = atEnd;
  }
  return found;
}

function record(found: Figures, name: string, window: Window): void {
  found.cpuUs[name] = window.cpuUs;
  found.perSecond[name] = window.perSecond;
  found.latencyMs[`${name}.p50`] = window.p50Ms;
  found.latencyMs[`${name}.p99`] = window.p99Ms;
}
