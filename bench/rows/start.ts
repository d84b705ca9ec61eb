import { figures, type Figures } from '../figures.js';
import { cpuSeconds, memoryMb } from '../process-usage.js';
import { median } from '../statistics.js';
import { HelloSystem } from '../systems/hello-system.js';
import type { BenchRun, Scenario } from './scenario.js';

/** From the start of the process until it listens, on a database that is there already. */
export const start: Scenario = {
  name: 'start',
  run: async (run: BenchRun): Promise<Figures> => {
    const hello = new HelloSystem({ dir: run.folder('start'), accounts: [] });
    await hello.start();
    await hello.stop();
    const [seconds, cpu, memory]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < (run.quick ? 3 : 9); round += 1) {
      seconds.push(await hello.start());
      cpu.push(cpuSeconds(hello.pid));
      memory.push(memoryMb(hello.pid));
      await hello.stop();
    }
    return figures({
      seconds: { start: median(seconds), 'start.cpu': median(cpu) },
      memoryMb: { start: median(memory) },
    });
  },
};
