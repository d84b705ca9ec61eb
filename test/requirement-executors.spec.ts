import { join } from 'node:path';
import { ON_ONE_EXECUTOR } from './requirement-executors.js';
import { REQUIREMENTS } from './requirements.js';
import { idsOfSource, idsOnBothExecutors } from './support/titles-by-executor.js';

describe('the promises on both executors', () => {
  const both = idsOnBothExecutors(join(__dirname, 'e2e'));

  it('are all that are not declared to be proven on one alone', () => {
    const missing = Object.keys(REQUIREMENTS).filter((id) => !both.has(id) && !(id in ON_ONE_EXECUTOR));
    expect(missing).toEqual([]);
  });

  it('are none that are declared to be proven on one alone, each of which exists and has a reason', () => {
    const declared = Object.entries(ON_ONE_EXECUTOR);
    expect(declared.filter(([id]) => both.has(id) || !(id in REQUIREMENTS))).toEqual([]);
    expect(declared.filter(([, { why }]) => why.length < 10)).toEqual([]);
  });
});

describe('the titles of a file', () => {
  it('count within a suite on both executors alone, with the tables that it names', () => {
    // In two pieces, so that this file cites nothing.
    const title = (id: string) => `'[${id}] x'`;
    const text = `
      const TABLE = [[${title('S1')}]];
      const OTHER = [[${title('S2')}]];
      describe.each(EXECUTORS)('both, %s', () => {
        it.each(TABLE)('%s', () => {});
        it(${title('G1')}, () => {});
      });
      describe('one', () => { it.each(OTHER)('%s', () => {}); it(${title('G2')}, () => {}); });`;
    expect(idsOfSource(text).sort()).toEqual(['G1', 'S1']);
  });
});
