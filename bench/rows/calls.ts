import { callFigures } from '../call-figures.js';
import type { Figures } from '../figures.js';
import { compare } from './compare.js';
import type { BenchRun, Scenario } from './scenario.js';

const SIZES = {
  quick: {
    rounds: 3,
    warmUp: { requests: 500, ms: 0 },
    windows: { 64: { requests: 300, ms: 300 }, 1: { requests: 100, ms: 300 } },
  },
  // One connection at a time waits for the disk most of the time: fewer requests show as much.
  full: {
    rounds: 5,
    // What V8 compiles it does in the first seconds of each kind of call.
    warmUp: { requests: 4_000, ms: 5_000 },
    windows: { 64: { requests: 2_000, ms: 1_200 }, 1: { requests: 200, ms: 600 } },
  },
};

export const calls: Scenario = {
  name: 'calls',
  run: async (run: BenchRun): Promise<Figures> => {
    const result = await compare({
      dir: run.folder('calls'),
      ...(run.quick ? SIZES.quick : SIZES.full),
      only: run.rows,
      print: run.print,
      nodeOptions: run.profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${run.profileDir}`],
    });
    return callFigures(result);
  },
};
