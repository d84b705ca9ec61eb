// Writes test/requirement-files.json: which test files cite which promise or report. `test/requirements.spec.ts` fails
// while the list is not what the tests say.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'test', 'requirement-files.json');

const files = ['src', 'test']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`),
  )
  .filter((file) => /\.(spec|contract)\.ts$/.test(file) && file !== 'test/requirements.spec.ts')
  .sort();

const where = {};
for (const file of files) {
  for (const [, id] of readFileSync(join(root, file), 'utf8').matchAll(/\[([A-Z]\d{1,3})\]/g)) {
    where[id] = [...new Set([...(where[id] ?? []), file])];
  }
}

const byKindAndNumber = (one, other) => one.localeCompare(other, 'en', { numeric: true });
const sorted = Object.fromEntries(
  Object.keys(where)
    .sort(byKindAndNumber)
    .map((id) => [id, where[id]]),
);
const options = { ...(await resolveConfig(target)), parser: 'json' };
writeFileSync(target, await format(JSON.stringify(sorted), options));
