import { callFigures } from '../call-figures.js';
import type { Figures } from '../figures.js';
import { compare } from './compare.js';
import type { BenchRun, Scenario } from './scenario.js';

const SIZES = {
  quick: { rounds: 3, warmUp: 500, window: { requests: 300, ms: 300 } },
  full: { rounds: 7, warmUp: 5_000, window: { requests: 3_000, ms: 2_000 } },
};

export const calls: Scenario = {
  name: 'calls',
  run: async (run: BenchRun): Promise<Figures> => {
    const result = await compare({
      dir: run.folder('calls'),
      ...(run.quick ? SIZES.quick : SIZES.full),
      connections: [64, 1],
      only: run.rows,
      print: run.print,
      nodeOptions: run.profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${run.profileDir}`],
    });
    return callFigures(result);
  },
};
