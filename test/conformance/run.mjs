// `npm run conformance -- --tck PATH [--python PATH]`: the JSON-RPC tests of the A2A project's compatibility kit
// against this service (docs/conformance.md). Twice: as the kit is, and with a messageId of its own for every message.
// Ends with 1 when anything differs from the differences that are listed with their reasons.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt, requireNode } from '../../scripts/prepare.mjs';
import { expectedDifferences, skippedFor, surprises } from './differences.mjs';
import { runKit } from './kit.mjs';
import { startSystem } from './system.mjs';

requireNode();
const kit = kitFromArguments();
ensureBuilt();
for (const distinctIds of [false, true]) {
  const system = await startSystem({ distinctIds });
  try {
    const result = await runKit(kit, system.url);
    print(result, distinctIds);
  } finally {
    await system.close();
  }
}

function kitFromArguments() {
  const options = { tck: { type: 'string' }, python: { type: 'string' } };
  const { values } = parseArgs({ options });
  const folder = resolve(values.tck ?? '');
  const python = values.python ?? join(folder, '.venv', 'bin', 'python');
  if (values.tck && existsSync(join(folder, 'run_tck.py')) && existsSync(python)) return { folder, python };
  console.error('usage: npm run conformance -- --tck PATH [--python PATH]   (see docs/conformance.md)');
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
  const found = surprises(requirements, expected);
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
