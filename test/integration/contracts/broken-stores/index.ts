import { BROKEN_AT_ACCEPTANCE } from './acceptance.js';
import { BROKEN_ANSWER_WITHDRAWALS } from './answer-withdrawals.js';
import { BROKEN_ANSWERS } from './answers.js';
import type { BrokenStore } from './broken-store.js';
import { BROKEN_CHANGES } from './changes.js';
import { BROKEN_ENDS } from './ends.js';
import { BROKEN_EXPIRIES } from './expiry.js';
import { BROKEN_KEYS } from './keys.js';
import { BROKEN_QUOTAS } from './quotas.js';
import { BROKEN_LISTS, BROKEN_READS } from './reading.js';
import { FORGETFUL } from './restarts.js';
import { BROKEN_WITHDRAWALS } from './withdrawals.js';

/** For every rule of `TaskStore` at least one store that breaks it. */
export const BROKEN_STORES: readonly BrokenStore[] = [
  ...BROKEN_AT_ACCEPTANCE,
  ...BROKEN_KEYS,
  ...BROKEN_QUOTAS,
  ...BROKEN_WITHDRAWALS,
  ...BROKEN_CHANGES,
  ...BROKEN_ENDS,
  ...BROKEN_ANSWERS,
  ...BROKEN_ANSWER_WITHDRAWALS,
  ...BROKEN_READS,
  ...BROKEN_LISTS,
  ...BROKEN_EXPIRIES,
  ...FORGETFUL,
];
