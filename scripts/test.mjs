// `npm test`: makes a fresh clone ready, then runs every check there is. Parts of it: CONTRIBUTING.md.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, requireNode, root } from './prepare.mjs';

requireNode();
ensureInstalled();

const report = join(root, '.cache', 'jest-report.json');
mkdirSync(join(root, '.cache'), { recursive: true });
rmSync(report, { force: true });

const steps = [
  { name: 'typecheck', script: 'typecheck' },
  { name: 'lint', script: 'lint' },
  { name: 'build', script: 'build', needed: true },
  { name: 'smoke test of the built program', script: 'smoke' },
  {
    name: 'unit, integration, e2e and interop tests',
    script: 'jest',
    args: ['--maxWorkers=2', '--json', `--outputFile=${report}`],
  },
];

const results = [];
for (const { name, script, args = [], needed } of steps) {
  console.log(`\n=== ${name} (npm run ${script}) ===`);
  const startedAt = Date.now();
  const ok = runScript(script, args);
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

function printCounts() {
  try {
    const counts = JSON.parse(readFileSync(report, 'utf8'));
    // A suite that did not even load runs no test, and is a failure all the same.
    const failed = counts.numFailedTests + counts.numRuntimeErrorTestSuites;
    const skipped = counts.numPendingTests > 0 ? `, ${counts.numPendingTests} skipped` : '';
    console.log(`${counts.numPassedTests} passed, ${failed} failed${skipped}`);
  } catch {
    console.log('no test was run');
    process.exitCode = 1;
  }
}
