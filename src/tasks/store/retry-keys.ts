import type { EntityManager } from 'typeorm';
import type { TaskScope } from '../task.js';
import { FULL, IN_SCOPE, type TaskRow, firstOf, scopeValues } from './task-row.js';

/**
 * What was sent under a retry key, as the first message of a task or as an answer: both share the keys of their
 * scope (requirement S5). Expired tasks are found as well, for the indexes know no time.
 */
export async function findByKey(
  source: Pick<EntityManager, 'query'>,
  scope: TaskScope,
  retryKey: string,
): Promise<TaskRow | undefined> {
  const key = [...scopeValues(scope), retryKey];
  return await firstOf<TaskRow>(
    source,
    `SELECT ${FULL}, fingerprint FROM tasks WHERE account_id = ?1 AND agent_id = ?2 AND retry_key = ?3
     UNION ALL
     SELECT ${FULL}, (SELECT fingerprint FROM answers
       WHERE account_id = ?1 AND agent_id = ?2 AND retry_key = ?3) AS fingerprint
     FROM tasks WHERE id = (SELECT task_id FROM answers
       WHERE account_id = ?1 AND agent_id = ?2 AND retry_key = ?3)
     LIMIT 1`,
    key,
  );
}

/** Takes a key away from what was sent under it; a task gets one that nobody can know. */
export async function freeKey(
  manager: Pick<EntityManager, 'query'>,
  scope: TaskScope,
  retryKey: string,
): Promise<void> {
  const key = [...scopeValues(scope), retryKey];
  await manager.query(
    `UPDATE tasks SET retry_key = hex(randomblob(16)) WHERE ${IN_SCOPE} AND retry_key = ?`,
    key,
  );
  await manager.query(`DELETE FROM answers WHERE ${IN_SCOPE} AND retry_key = ?`, key);
}
