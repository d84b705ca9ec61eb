import { closeSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mergeFigures, type Figures } from './figures.js';
import { describeMachine } from './machine.js';
import { readReport, renderReports, type Report } from './report.js';
import { readOptions, USAGE, type BenchOptions } from './options.js';
import { requireProcFileSystem } from './process-usage.js';
import { calls } from './rows/calls.js';
import { correctness } from './rows/correctness.js';
import { largeList } from './rows/large-list.js';
import { prune } from './rows/prune.js';
import { idle, relay } from './rows/relay.js';
import type { BenchRun, Scenario } from './rows/scenario.js';
import { soak } from './rows/soak.js';
import { streams } from './rows/streams.js';
import { start } from './rows/start.js';
import { pinMyself } from './systems/cores.js';
import { judge } from './targets.js';

/** Every part of a run, in the order in which they run. */
const SCENARIOS: readonly Scenario[] = [
  calls,
  largeList,
  relay,
  idle,
  streams,
  prune,
  start,
  correctness,
  soak,
];

/**
 * `npm run bench`: measures hello-api beside its peers (docs/performance.md).
 * @param root the project's folder, for `.cache/`
 * @returns the exit code: 1 when an answer was wrong or something did not work; a missed target is none of that
 */
export async function main(args: string[], root: string): Promise<number> {
  const options = readOptions(
    args,
    SCENARIOS.map(({ name }) => name),
  );
  if (typeof options === 'string') {
    console.error(`${options}\n${USAGE}`);
    return 2;
  }
  try {
    if (options.render.length === 0) await measureAll(options, root);
    else console.log(renderReports(options.render.map(readReport)));
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }
}

async function measureAll(options: BenchOptions, root: string): Promise<void> {
  requireProcFileSystem();
  if (options.json !== undefined) requireWritable(options.json);
  pinMyself();
  const machine = describeMachine();
  const runDir = join(root, '.cache', `bench-run-${process.pid}`);
  process.once('exit', () => rmSync(runDir, { recursive: true, force: true }));
  // An end by signal is an end all the same: it takes programs and files with it.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  const report: Report = { ...(await runAll(options, root, runDir)), machine, quick: options.quick };
  console.log(`\n${renderReports([report])}`);
  if (options.json !== undefined) {
    writeFileSync(
      options.json,
      `${JSON.stringify({ ...report, targets: judge(report, options.quick) }, undefined, 2)}\n`,
    );
  }
}

/** Before anything is measured, so that half an hour is not lost. @throws naming the option and what is wrong */
function requireWritable(file: string): void {
  try {
    closeSync(openSync(file, 'a'));
  } catch (error) {
    throw new Error(`--json ${file} cannot be written: ${(error as NodeJS.ErrnoException).code}`, {
      cause: error,
    });
  }
}

async function runAll(options: BenchOptions, root: string, runDir: string): Promise<Figures> {
  const run: BenchRun = {
    quick: options.quick,
    rows: options.rows,
    profileDir: options.profile,
    cacheDir: join(root, '.cache', 'bench'),
    folder: (name) => {
      const folder = join(runDir, name);
      mkdirSync(folder, { recursive: true });
      return folder;
    },
    print: (line) => console.log(line),
  };
  const parts: Figures[] = [];
  for (const scenario of SCENARIOS) {
    if (options.only.length > 0 && !options.only.includes(scenario.name)) continue;
    console.log(`\n=== ${scenario.name}`);
    parts.push(await scenario.run(run));
  }
  return mergeFigures(parts);
}
