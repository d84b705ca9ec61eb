import { cpus, totalmem } from 'node:os';
import { CAN_PIN } from './systems/cores.js';

export interface Machine {
  node: string;
  cpu: string;
  cores: number;
  memoryGb: number;
  /** Whether servers had a core of their own. Without that, figures depend on what else ran. */
  pinned: boolean;
  at: string;
}

/** What the figures of a run depend on. */
export function describeMachine(): Machine {
  return {
    node: process.version,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    pinned: CAN_PIN,
    at: new Date().toISOString(),
  };
}
