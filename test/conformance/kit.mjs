// Runs the compatibility kit of the A2A project and reads its reports.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const LEVELS = ['MUST', 'SHOULD', 'MAY'];
const STATUSES = ['PASS', 'FAIL', 'SKIPPED', 'NOT TESTED'];

/**
 * @param {{ folder: string, python: string }} kit a working copy and the interpreter that has its dependencies
 * @param {string} url where the kit finds the card
 * @returns {Promise<{ requirements: object, levels: object, tests: Record<string, number> }>}
 * @throws when the kit leaves no report
 */
export async function runKit(kit, url) {
  const reports = join(kit.folder, 'reports');
  for (const name of ['compatibility.json', 'junitreport.xml']) rmSync(join(reports, name), { force: true });
  const output = await run(kit, ['run_tck.py', '--sut-host', url, '--transport', 'jsonrpc']);
  const report = join(reports, 'compatibility.json');
  if (!existsSync(report)) throw new Error(`the kit wrote no report:\n${output.slice(-4000)}`);
  const requirements = JSON.parse(readFileSync(report, 'utf8')).per_requirement;
  return {
    requirements,
    levels: countLevels(requirements),
    tests: countTests(readFileSync(join(reports, 'junitreport.xml'), 'utf8')),
  };
}

/** The interpreter's output, whatever its exit code: that says that something failed; the reports say what. */
export function run({ folder, python }, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(python, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
    child.once('error', reject);
    child.once('close', () => resolve(output));
  });
}

function countLevels(requirements) {
  const zero = () => Object.fromEntries(STATUSES.map((status) => [status, 0]));
  const levels = Object.fromEntries(LEVELS.map((level) => [level, zero()]));
  for (const { level, status } of Object.values(requirements)) levels[level][status] += 1;
  return levels;
}

/** Tests as pytest counts them; an expected failure is one of a SHOULD or MAY. */
function countTests(xml) {
  const count = (pattern) => xml.match(pattern)?.length ?? 0;
  const total = count(/<testcase /g);
  const failed = count(/<(failure|error)[ >]/g);
  const expectedFailures = count(/<skipped type="pytest\.xfail"/g);
  const skipped = count(/<skipped /g) - expectedFailures;
  return { passed: total - failed - skipped - expectedFailures, failed, expectedFailures, skipped };
}
