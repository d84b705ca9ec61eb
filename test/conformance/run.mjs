// `npm run conformance -- --tck PATH [--wire 0.3] [--python PATH]`: the JSON-RPC tests of the A2A project's compatibility
// kit against this service (docs/conformance.md). Those for 1.0 run twice: as the kit is, and with a messageId of its own
// for every message; those for 0.3, which are on a branch of their own, once. Ends with 1 when anything differs from the differences that are listed with their reasons.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt, requireNode } from '../../scripts/prepare.mjs';
import { expectedDifferences, skippedFor, surprises } from './differences.mjs';
import { differencesV03, leftOut, surprisesV03 } from './differences-v03.mjs';
import { runKit } from './kit.mjs';
import { runKitV03 } from './kit-v03.mjs';
import { startSystem } from './system.mjs';

requireNode();
const { kit, wire } = kitFromArguments();
ensureBuilt();
if (wire === '0.3') {
  await withSystem({ wire, distinctIds: false }, async (url) => printV03(await runKitV03(kit, url)));
} else {
  for (const distinctIds of [false, true]) {
    await withSystem({ wire, distinctIds }, async (url) => print(await runKit(kit, url), distinctIds));
  }
}

async function withSystem(options, use) {
  const system = await startSystem(options);
  try {
    await use(system.url);
  } finally {
    await system.close();
  }
}

function kitFromArguments() {
  const options = {
    tck: { type: 'string' },
    python: { type: 'string' },
    wire: { type: 'string', default: '1.0' },
  };
  const { values } = parseArgs({ options });
  const folder = resolve(values.tck ?? '');
  const python = values.python ?? join(folder, '.venv', 'bin', 'python');
  const { wire } = values;
  const isKnown = wire === '1.0' || wire === '0.3';
  if (isKnown && values.tck && existsSync(join(folder, 'run_tck.py')) && existsSync(python)) {
    return { kit: { folder, python }, wire };
  }
  console.error(
    'usage: npm run conformance -- --tck PATH [--wire 1.0|0.3] [--python PATH]   (see docs/conformance.md)',
  );
  if (!isKnown) console.error('--wire is 1.0 or 0.3');
  else
    console.error(values.tck ? `${folder} is no kit with a Python environment in .venv` : '--tck is missing');
  process.exit(2);
}

function print({ requirements, levels, tests }, distinctIds) {
  const expected = expectedDifferences(distinctIds);
  console.log(`\n=== ${distinctIds ? 'every message with an id of its own' : 'the kit as it is'} ===`);
  console.table(levels);
  const { passed, failed, expectedFailures, skipped } = tests;
  console.log(
    `tests: ${passed} passed, ${failed} failed, ${expectedFailures} failed as SHOULD or MAY, ${skipped} skipped`,
  );
  console.log('Different on purpose:');
  for (const [reason, ids] of byReason(expected)) console.log(`- ${ids.join(', ')}: ${reason}`);
  console.log('Skipped, since the card does not offer it:');
  for (const line of skippedFor(requirements)) console.log(`- ${line}`);
  conclude(surprises(requirements, expected));
}

function printV03(results) {
  const count = (tests, outcome) => tests.filter((test) => test.outcome === outcome).length;
  const outcomes = ['passed', 'failed', 'xfailed', 'skipped'];
  const row = (tests) => Object.fromEntries(outcomes.map((outcome) => [outcome, count(tests, outcome)]));
  console.table(
    Object.fromEntries(Object.entries(results).map(([category, tests]) => [category, row(tests)])),
  );
  const tests = Object.values(results).flat();
  console.log('Different on purpose:');
  for (const line of differencesV03()) console.log(`- ${line}`);
  console.log('Left out by the kit:');
  for (const line of leftOut(tests)) console.log(`- ${line}`);
  conclude(surprisesV03(tests));
}

function conclude(found) {
  for (const surprise of found) console.error(`SURPRISE  ${surprise}`);
  if (found.length > 0) process.exitCode = 1;
  else console.log('Nothing else differs.');
}

function byReason(expected) {
  const reasons = new Map();
  for (const [id, { rows, because }] of Object.entries(expected)) {
    const reason = `${because} [${rows.join('] [')}]`;
    reasons.set(reason, [...(reasons.get(reason) ?? []), id]);
  }
  return reasons;
}
