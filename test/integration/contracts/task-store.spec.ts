import { TASK_STORE_RULES, testRules } from '../../../src/testing/index.js';
import { ASSERTION, neverBroken, ruleNamed } from './broken-port.js';
import { BROKEN_STORES } from './broken-stores/index.js';
import { type OpenStore, StorePlace } from './store-place.js';

const place = new StorePlace();
beforeAll(() => place.prepare(), 60_000);
afterAll(() => place.remove());

describe('TypeOrmTaskStore keeps the rules of TaskStore', () => {
  testRules(
    TASK_STORE_RULES,
    (title, run) => it(title, run, 60_000),
    () => place.open({ durable: true }),
    (subject) => (subject as OpenStore).close(),
  );
});

describe('the contract of TaskStore notices a store that breaks a rule', () => {
  it('has a title of its own for every rule, and a broken store', () => {
    const titles = TASK_STORE_RULES.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    expect(neverBroken(TASK_STORE_RULES, BROKEN_STORES)).toEqual([]);
  });

  it.each(
    BROKEN_STORES.map(
      ([rule, what, change]) => [ruleNamed(TASK_STORE_RULES, rule).title, what, change] as const,
    ),
  )(
    '%s: one that %s',
    async (title, _, change) => {
      const subject = await place.open({ change });
      try {
        await expect(ruleNamed(TASK_STORE_RULES, title).check(subject)).rejects.toMatchObject(ASSERTION);
      } finally {
        await subject.close();
      }
    },
    60_000,
  );
});
