import type { EntityManager } from 'typeorm';
import type { MessageQuota } from '../task-store.js';
import { firstOf } from './task-row.js';

/** New tasks and answers alike are messages (requirement S9). */
const SENT_SINCE = `SELECT created_at FROM tasks WHERE account_id = ?1 AND created_at > ?2
  UNION ALL SELECT created_at FROM answers WHERE account_id = ?1 AND created_at > ?2`;

/**
 * Counts on the indexes, at most `limit` entries. Messages "of the future", sent before the clock was set back,
 * count as well: the limit may then bite early, never late.
 * @returns `undefined` while there is room
 */
export async function quotaProblem(
  manager: EntityManager,
  accountId: string,
  quota: MessageQuota,
  nowMs: number,
): Promise<{ kind: 'quota_exceeded'; retryAfterMs: number } | undefined> {
  const since = nowMs - quota.windowMs;
  const counted = await firstOf<{ used: number }>(
    manager,
    `SELECT COUNT(*) AS used FROM (${SENT_SINCE} LIMIT ?3)`,
    [accountId, since, quota.limit],
  );
  if ((counted?.used ?? 0) < quota.limit) return undefined;
  const blocking = await firstOf<{ created_at: number }>(
    manager,
    `${SENT_SINCE} ORDER BY created_at DESC LIMIT 1 OFFSET ?3`,
    [accountId, since, Math.max(0, quota.limit - 1)],
  );
  return { kind: 'quota_exceeded', retryAfterMs: (blocking?.created_at ?? nowMs) + quota.windowMs - nowMs };
}
