import type { Figures } from '../figures.js';

/** Where and how thoroughly a part of the run works. */
export interface BenchRun {
  /** Small sizes and few rounds: shows that all works, and roughly how fast. */
  quick: boolean;
  /** An empty folder for a part's files. */
  folder: (name: string) => string;
  /** A folder whose content may be used again by later runs. */
  cacheDir: string;
  /** Names of call rows to run; all when empty. */
  rows: readonly string[];
  /** Where node writes CPU profiles of hello, if it is to. */
  profileDir: string | undefined;
  print: (line: string) => void;
}

/** One part of the run, which starts and stops what it needs. */
export interface Scenario {
  name: string;
  run: (run: BenchRun) => Promise<Figures>;
}
