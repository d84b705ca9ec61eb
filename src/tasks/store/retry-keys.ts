import type { EntityManager } from 'typeorm';
import type { TaskScope } from '../task.js';
import { FULL, GIVEN_LINES, type TaskRow, rowsOf, scopeValues } from './task-row.js';

export interface ScopedKey {
  scope: TaskScope;
  retryKey: string;
}

/** What was sent under a retry key, as the first message of a task or as an answer to its question. */
export type KeyUse = TaskRow & { fingerprint: string };

const WANTED = `${GIVEN_LINES}, wanted AS (SELECT place, line ->> 0 AS of_account, line ->> 1 AS of_agent,
  line ->> 2 AS of_key FROM given)`;
const IS_WANTED = 'account_id = of_account AND agent_id = of_agent AND retry_key = of_key';

/**
 * What was sent under each of the keys. First messages and answers share the keys of their scope (requirement S5), so
 * that at most one use of a key has not expired; those that have are found as well, for the indexes know no time.
 */
export async function usesOfKeys(
  source: Pick<EntityManager, 'query'>,
  keys: readonly ScopedKey[],
): Promise<KeyUse[][]> {
  const rows = await rowsOf<KeyUse & { place: number }>(
    source,
    `${WANTED}
     SELECT place, ${FULL}, fingerprint FROM wanted CROSS JOIN tasks WHERE ${IS_WANTED}
     UNION ALL
     SELECT place, ${FULL}, used_for FROM (
       SELECT place, task_id, fingerprint AS used_for FROM wanted CROSS JOIN answers WHERE ${IS_WANTED})
     CROSS JOIN tasks WHERE id = task_id`,
    [wantedKeys(keys)],
  );
  const uses = keys.map((): KeyUse[] => []);
  for (const row of rows) uses[row.place]?.push(row);
  return uses;
}

/** The use of one key that has not expired. */
export async function findByKey(
  source: Pick<EntityManager, 'query'>,
  key: ScopedKey,
  nowMs: number,
): Promise<KeyUse | undefined> {
  const [uses] = await usesOfKeys(source, [key]);
  return uses?.find((use) => use.expires_at > nowMs);
}

/** Takes keys away from what was sent under them; a task gets one that nobody can know. */
export async function freeKeys(
  manager: Pick<EntityManager, 'query'>,
  keys: readonly ScopedKey[],
): Promise<void> {
  const wanted = [wantedKeys(keys)];
  await rowsOf(
    manager,
    `${WANTED} UPDATE tasks SET retry_key = hex(randomblob(16)) FROM wanted WHERE ${IS_WANTED}`,
    wanted,
  );
  await rowsOf(
    manager,
    `${WANTED} DELETE FROM answers WHERE (account_id, agent_id, retry_key) IN (
       SELECT of_account, of_agent, of_key FROM wanted)`,
    wanted,
  );
}

function wantedKeys(keys: readonly ScopedKey[]): string {
  return JSON.stringify(keys.map(({ scope, retryKey }) => [...scopeValues(scope), retryKey]));
}
