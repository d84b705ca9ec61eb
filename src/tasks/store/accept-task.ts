import type { EntityManager } from 'typeorm';
import type { TaskDraft } from '../task.js';
import type { AcceptOutcome, MessageQuota } from '../task-store.js';
import { quotaProblem } from './message-quota.js';
import { findByKey, freeKey } from './retry-keys.js';
import { FULL, IN_SCOPE, type TaskRow, firstOf, scopeValues, taskOf } from './task-row.js';

interface AcceptTimes {
  nowMs: number;
  expiresAtMs: number;
}

/**
 * Takes a task over within one unit of work; the rules are those of `TaskStore.accept`. The checks run inside the
 * write transaction, so that nothing can change between them and the insertion (requirements S5, S9).
 */
export async function acceptTask(
  manager: EntityManager,
  draft: TaskDraft,
  quota: MessageQuota,
  times: AcceptTimes,
): Promise<AcceptOutcome> {
  return (
    (await earlierTask(manager, draft, times.nowMs)) ??
    (await contextProblem(manager, draft, times.nowMs)) ??
    (await quotaProblem(manager, draft.scope.accountId, quota, times.nowMs)) ?? {
      kind: 'accepted',
      task: await insert(manager, draft, times),
    }
  );
}

/** The key of an expired task is free, and the indexes know no time; the task itself stays until it is ended and deleted. */
async function earlierTask(
  manager: EntityManager,
  draft: TaskDraft,
  nowMs: number,
): Promise<AcceptOutcome | undefined> {
  const row = await findByKey(manager, draft.scope, draft.retryKey);
  if (!row) return undefined;
  if (row.expires_at <= nowMs) {
    await freeKey(manager, draft.scope, draft.retryKey);
    return undefined;
  }
  return row.fingerprint === draft.fingerprint
    ? { kind: 'repeated', task: taskOf(row) }
    : { kind: 'conflict' };
}

/** A context is known as long as one of its tasks is; it needs no table that could say otherwise. */
async function contextProblem(
  manager: EntityManager,
  draft: TaskDraft,
  nowMs: number,
): Promise<AcceptOutcome | undefined> {
  if (draft.contextIsNew) return undefined;
  const known = await firstOf(
    manager,
    `SELECT 1 FROM tasks WHERE ${IN_SCOPE} AND context_id = ? AND expires_at > ? LIMIT 1`,
    [...scopeValues(draft.scope), draft.contextId, nowMs],
  );
  return known ? undefined : { kind: 'unknown_context' };
}

async function insert(manager: EntityManager, draft: TaskDraft, times: AcceptTimes) {
  const row = await firstOf<TaskRow>(
    manager,
    `INSERT INTO tasks (id, account_id, agent_id, context_id, computer_id, state, status_at, created_at,
       expires_at, interactive, retry_key, fingerprint)
     VALUES (?, ?, ?, ?, ?, 'submitted', ?, ?, ?, ?, ?, ?) RETURNING ${FULL}`,
    [
      draft.id,
      ...scopeValues(draft.scope),
      draft.contextId,
      draft.computerId,
      times.nowMs,
      times.nowMs,
      times.expiresAtMs,
      draft.interactive ? 1 : 0,
      draft.retryKey,
      draft.fingerprint,
    ],
  );
  await manager.query('INSERT INTO messages (task_id, position, body) VALUES (?, 0, ?)', [
    draft.id,
    JSON.stringify(draft.message),
  ]);
  if (!row) throw new Error('The database did not return the task that it took');
  return taskOf(row);
}
