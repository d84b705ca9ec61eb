import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PUBLIC_REPORTS, REQUIREMENTS, type Entry } from './requirements.js';

const root = join(__dirname, '..');
const entries: Record<string, Entry> = { ...REQUIREMENTS, ...PUBLIC_REPORTS };

function testFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(spec|contract)\.ts$/.test(name))
    .map((name) => join(folder, name));
}

/** Ids cited in the titles of tests: `it('[C4] …')`, also of tables and suites. */
function citations(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of [...testFiles(join(root, 'src')), ...testFiles(join(root, 'test'))]) {
    if (file === __filename) continue;
    for (const [, id = ''] of readFileSync(file, 'utf8').matchAll(/\[([A-Z]\d{1,3})\]/g)) {
      found.set(id, [...(found.get(id) ?? []), file.slice(root.length + 1)]);
    }
  }
  return found;
}

describe('the coverage of promises', () => {
  const cited = citations();

  it('knows every id that a test cites', () => {
    const unknown = [...cited].filter(([id]) => !(id in entries));
    expect(unknown).toEqual([]);
  });

  it('has a test for every promise and every report that is said to be proven', () => {
    const uncited = Object.entries(entries).filter(
      ([id, { status }]) => status === 'proven' && !cited.has(id),
    );
    expect(uncited.map(([id, { about }]) => `${id} ${about}`)).toEqual([]);
  });

  it('lists the files that cite an id, all of them and no other (node scripts/requirements.mjs writes the list)', () => {
    const listed = Object.entries(entries).map(([id, { where }]) => [id, [...where].sort()]);
    const citing = Object.keys(entries).map((id) => [id, [...new Set(cited.get(id))].sort()]);
    expect(listed).toEqual(citing);
  });

  it('gives a reason for everything else', () => {
    const unexplained = Object.values(entries).filter(
      (entry) => entry.status !== 'proven' && entry.why.length < 10,
    );
    expect(unexplained).toEqual([]);
  });
});
