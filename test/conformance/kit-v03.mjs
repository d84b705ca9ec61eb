// Runs the 0.3 branch of the compatibility kit, whose tests pytest finds in folders, and reads what pytest reports.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './kit.mjs';

/** As the kit's own runner selects them. */
const CATEGORIES = {
  mandatory: ['tests/mandatory/', '-m', 'mandatory_jsonrpc or mandatory_protocol'],
  capabilities: ['tests/optional/capabilities/'],
};

/**
 * @param {{ folder: string, python: string }} kit a working copy and the interpreter that has its dependencies
 * @param {string} url where the kit finds the card
 * @returns {Promise<Record<string, { id: string, outcome: string, text: string }[]>>} by category, what each test said
 * @throws when the kit leaves no report
 */
export async function runKitV03(kit, url) {
  const results = {};
  for (const [category, selection] of Object.entries(CATEGORIES)) {
    const report = join(kit.folder, 'reports', `${category}.json`);
    rmSync(report, { force: true });
    const options = [`--sut-url=${url}`, '--test-scope=all', '--transports', 'jsonrpc', '--tb=line', '-q'];
    const reporting = ['--json-report', `--json-report-file=${report}`];
    const output = await run(kit, ['-m', 'pytest', ...selection, ...options, ...reporting]);
    if (!existsSync(report)) throw new Error(`the kit wrote no report:\n${output.slice(-4000)}`);
    results[category] = JSON.parse(readFileSync(report, 'utf8')).tests.map(outcomeOf);
  }
  return results;
}

function outcomeOf({ nodeid, outcome, setup, call }) {
  const phase = call ?? setup;
  const text = phase?.crash?.message ?? phase?.longrepr ?? '';
  return { id: nodeid.replace(/^.*\//, '').replace(/^[^:]+::(.*::)?/, ''), outcome, text: String(text) };
}
