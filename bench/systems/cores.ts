import { execFileSync, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Where servers run, and where everything else does. */
export const SERVER_CORE = 0;
export const LOAD_CORE = 1;

/** Whether programs can be pinned to cores here: two of them, and `taskset` of util-linux. */
export const CAN_PIN =
  availableParallelism() >= 2 && spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status === 0;

export function pinned(command: string[], core: number): string[] {
  return CAN_PIN ? ['taskset', '-c', String(core), ...command] : command;
}

/** Moves this process, all of its threads, to the load generator's core. */
export function pinMyself(): void {
  if (CAN_PIN) execFileSync('taskset', ['-acp', String(LOAD_CORE), String(process.pid)], { stdio: 'ignore' });
}
