import type { Rule } from '../rule.js';
import { ACCEPTANCE_RULES, RETRY_KEY_RULES } from './acceptance.rules.js';
import { ANSWER_RULES, ANSWER_WITHDRAWAL_RULES } from './answers.rules.js';
import { CHANGE_RULES, END_RULES } from './changes.rules.js';
import { DURABILITY_RULES } from './durability.rules.js';
import { EXPIRY_RULES } from './expiry.rules.js';
import { LIST_RULES } from './lists.rules.js';
import { QUOTA_RULES } from './quota.rules.js';
import { READING_RULES } from './reading.rules.js';
import type { TaskStoreSubject } from './store-rule.rules.js';
import { WITHDRAWAL_RULES } from './withdrawal.rules.js';

/** Everything that `TaskStore` promises; each rule wants an empty store of yours. */
export const TASK_STORE_RULES: readonly Rule<TaskStoreSubject>[] = [
  ...ACCEPTANCE_RULES,
  ...RETRY_KEY_RULES,
  ...QUOTA_RULES,
  ...WITHDRAWAL_RULES,
  ...CHANGE_RULES,
  ...END_RULES,
  ...ANSWER_RULES,
  ...ANSWER_WITHDRAWAL_RULES,
  ...READING_RULES,
  ...LIST_RULES,
  ...EXPIRY_RULES,
  ...DURABILITY_RULES,
];
