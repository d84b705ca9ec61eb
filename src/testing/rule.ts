import assert from 'node:assert/strict';

/** One rule of a port, and what shows that an implementation keeps it. */
export interface Rule<Subject> {
  title: string;
  /** Rejects when the rule is broken. */
  check(subject: Subject): Promise<void>;
}

/** Deep equality of values that may come from a native module, whose arrays a test runner sees as foreign. */
export function same(actual: unknown, expected: unknown, message?: string): void {
  assert.deepEqual(structuredClone(actual), structuredClone(expected), message);
}
