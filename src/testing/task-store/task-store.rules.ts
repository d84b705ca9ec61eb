import { ACCEPTANCE_RULES } from './acceptance.rules.js';
import { ANSWER_RULES } from './answers.rules.js';
import { CHANGE_RULES } from './changes.rules.js';
import { READING_RULES } from './reading.rules.js';
import type { StoreRule } from './store-rule.rules.js';

/** Everything that `TaskStore` promises; run each rule against an empty store of your own. */
export const TASK_STORE_RULES: readonly StoreRule[] = [
  ...ACCEPTANCE_RULES,
  ...CHANGE_RULES,
  ...ANSWER_RULES,
  ...READING_RULES,
];
