import assert from 'node:assert/strict';
import type { MessageLimit, MessageQuota } from '../tasks/index.js';
import type { Rule } from './rule.js';

export interface QuotaSubject {
  quota: MessageQuota;
  /** Accounts that it has an opinion of. */
  accountIds: string[];
}

function checkLimit({ limit, windowMs }: MessageLimit): void {
  assert.ok(Number.isSafeInteger(limit) && limit >= 0, `limit ${limit} is no whole number from 0`);
  assert.ok(Number.isSafeInteger(windowMs) && windowMs > 0, `windowMs ${windowMs} is no whole number from 1`);
}

/** What `MessageQuota` promises (requirement S9). */
export const MESSAGE_QUOTA_RULES: readonly Rule<QuotaSubject>[] = [
  {
    title: '[S9] a limit and its window are whole numbers',
    async check({ quota, accountIds }) {
      for (const accountId of accountIds) checkLimit(await quota.limitOf(accountId));
    },
  },
  {
    title: '[S9] an account that nobody has heard of has a limit as well',
    async check({ quota }) {
      for (const accountId of ['nobody-has-heard-of-me', '__proto__', 'a'.repeat(500)]) {
        const found: unknown = await quota.limitOf(accountId).catch((error: unknown) => error);
        assert.ok(!(found instanceof Error), `an account without a limit: ${accountId.slice(0, 30)}`);
        checkLimit(found as MessageLimit);
      }
    },
  },
  {
    title: '[S9] asking counts nothing: the store counts',
    async check({ quota, accountIds }) {
      const [accountId = 'ann'] = accountIds;
      const first = { ...(await quota.limitOf(accountId)) };
      const more = await Promise.all(Array.from({ length: 20 }, () => quota.limitOf(accountId)));
      for (const one of more) assert.deepEqual({ ...one }, first);
    },
  },
];
