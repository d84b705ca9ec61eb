import { ACCEPTANCE_RULES } from './contract/acceptance.contract.js';
import { ANSWER_RULES } from './contract/answers.contract.js';
import { CHANGE_RULES } from './contract/changes.contract.js';
import { READING_RULES } from './contract/reading.contract.js';
import type { StoreRule } from './contract/store-rule.contract.js';

/** Everything that `TaskStore` promises; run each rule against an empty store of your own. */
export const TASK_STORE_RULES: readonly StoreRule[] = [
  ...ACCEPTANCE_RULES,
  ...CHANGE_RULES,
  ...ANSWER_RULES,
  ...READING_RULES,
];
