import assert from 'node:assert/strict';

/** One rule of a port, and what shows that an implementation keeps it. */
export interface Rule<Subject> {
  /** Says the rule; unique in its suite. */
  title: string;
  /** Rejects with an `AssertionError` when the rule is broken. */
  check(subject: Subject): Promise<void>;
}

/** Registers a test: `it` of jest, mocha and vitest, `test` of `node:test`. */
export type TestFunction = (title: string, run: () => Promise<void>) => unknown;

/**
 * Makes a test of every rule of a suite, with whatever runs your tests.
 * @param open called for every rule: the subject with your implementation, new or shared as the suite says
 * @param close called after every rule, also one that is broken
 */
export function testRules<Subject>(
  rules: readonly Rule<Subject>[],
  test: TestFunction,
  open: () => Subject | Promise<Subject>,
  close: (subject: Subject) => unknown = () => undefined,
): void {
  for (const rule of rules) {
    test(rule.title, async () => {
      const subject = await open();
      try {
        await rule.check(subject);
      } finally {
        await close(subject);
      }
    });
  }
}

/** Deep equality of values that may come from a native module, whose arrays a test runner sees as foreign. */
export function same(actual: unknown, expected: unknown, message?: string): void {
  assert.deepEqual(structuredClone(actual), structuredClone(expected), message);
}
