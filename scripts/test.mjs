// `npm test`: makes a fresh clone ready, then runs every check there is. Parts of it: CONTRIBUTING.md.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ensureInstalled, requireNode, root } from './prepare.mjs';

requireNode();
ensureInstalled();

/** So many files of tests may fail because the machine was busy; more are no accident. */
const MOST_AGAIN = 3;

const report = join(root, '.cache', 'jest-report.json');
const secondReport = join(root, '.cache', 'jest-report-again.json');
mkdirSync(join(root, '.cache'), { recursive: true });
for (const file of [report, secondReport]) rmSync(file, { force: true });

const steps = [
  { name: 'typecheck', script: 'typecheck' },
  { name: 'lint', script: 'lint' },
  { name: 'build', script: 'build', needed: true },
  { name: 'smoke test of the built program', script: 'smoke' },
  {
    name: 'unit, integration, e2e and interop tests',
    script: 'jest',
    args: ['--maxWorkers=2', '--json', `--outputFile=${report}`],
    again: runFailedAlone,
  },
];
let again = [];

const results = [];
for (const { name, script, args = [], needed, again: secondAttempt } of steps) {
  console.log(`\n=== ${name} (npm run ${script}) ===`);
  const startedAt = Date.now();
  const ok = runScript(script, args) || secondAttempt?.() === true;
  results.push(`${ok ? 'ok    ' : 'FAILED'}  ${name}, ${Math.round((Date.now() - startedAt) / 1000)} s`);
  if (ok) continue;
  process.exitCode = 1;
  if (needed) break;
}
console.log(`\n${results.join('\n')}`);
printCounts();

function runScript(script, args) {
  // jest's JSON goes to the file; what it prints for people goes to stderr, so that stdout can be dropped.
  const stdio = script === 'jest' ? ['ignore', 'ignore', 'inherit'] : ['ignore', 'inherit', 'inherit'];
  const command = ['run', '--silent', script, ...(args.length > 0 ? ['--', ...args] : [])];
  return spawnSync('npm', command, { cwd: root, stdio, shell: process.platform === 'win32' }).status === 0;
}

/**
 * Files that failed among others are run once more, alone, and named whatever comes of it: what passes then has a race, in the
 * test or in what it tests, and wants mending. @returns whether all of them passed
 */
function runFailedAlone() {
  const files = failedFiles(read(report));
  if (files.length === 0 || files.length > MOST_AGAIN) return false;
  console.log(`\n=== run again, alone: ${files.join(', ')} ===`);
  const args = ['--maxWorkers=1', '--json', `--outputFile=${secondReport}`, '--runTestsByPath', ...files];
  if (!runScript('jest', args)) return false;
  again = files;
  return true;
}

function failedFiles(counts) {
  const failed = (counts?.testResults ?? []).filter(({ status }) => status === 'failed');
  return failed.map(({ name }) => relative(root, name));
}

function printCounts() {
  const counts = read(report);
  if (!counts) {
    console.log('no test was run');
    process.exitCode = 1;
    return;
  }
  // A suite that did not even load runs no test, and is a failure all the same.
  const failed = again.length > 0 ? 0 : counts.numFailedTests + counts.numRuntimeErrorTestSuites;
  const passed = counts.numTotalTests - failed - counts.numPendingTests;
  const skipped = counts.numPendingTests > 0 ? `, ${counts.numPendingTests} skipped` : '';
  console.log(`${passed} passed, ${failed} failed${skipped}`);
  if (again.length > 0)
    console.log(`Passed only when run again, alone; these want mending: ${again.join(', ')}`);
}

/** @returns jest's report, or nothing where it did not come to write one */
function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
