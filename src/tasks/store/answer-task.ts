import type { EntityManager } from 'typeorm';
import type { Message } from '../../a2a/index.js';
import type { AnswerDraft, Task } from '../task.js';
import type { MessageLimit } from '../message-quota.js';
import type { AnswerOutcome } from '../task-store.js';
import { type CountedMessage, MessageAllowance, retryAfterMs } from './message-quota.js';
import { findByKey, freeKeys } from './retry-keys.js';
import { FULL, IN_SCOPE, type TaskRow, firstOf, messageOf, scopeValues, taskOf } from './task-row.js';

/** Takes an answer within one unit of work; the rules are those of `TaskStore.acceptAnswer`. */
export async function acceptAnswer(
  manager: EntityManager,
  draft: AnswerDraft,
  quota: MessageLimit,
  nowMs: number,
): Promise<AnswerOutcome> {
  return (
    (await earlierUse(manager, draft, nowMs)) ??
    (await taskProblem(manager, draft, nowMs)) ??
    (await quotaProblem(manager, { accountId: draft.scope.accountId, quota, nowMs })) ??
    (await append(manager, draft, nowMs))
  );
}

async function earlierUse(
  manager: EntityManager,
  draft: AnswerDraft,
  nowMs: number,
): Promise<AnswerOutcome | undefined> {
  const row = await findByKey(manager, draft, nowMs);
  if (!row) return undefined;
  return row.fingerprint === draft.fingerprint
    ? { kind: 'repeated', task: taskOf(row) }
    : { kind: 'conflict' };
}

/** The daemon tells answers apart by their messageId, so that one task never has two messages with the same. */
async function taskProblem(
  manager: EntityManager,
  draft: AnswerDraft,
  nowMs: number,
): Promise<AnswerOutcome | undefined> {
  const row = await firstOf<TaskRow & { id_used: number }>(
    manager,
    `SELECT ${FULL}, EXISTS (SELECT 1 FROM messages
       WHERE task_id = tasks.id AND json_extract(body, '$.messageId') = ?) AS id_used
     FROM tasks WHERE id = ? AND ${IN_SCOPE} AND expires_at > ?`,
    [draft.message.messageId, draft.taskId, ...scopeValues(draft.scope), nowMs],
  );
  if (!row) return { kind: 'not_found' };
  const task = taskOf(row);
  if (task.state !== 'input_required' || task.pendingAnswer !== undefined)
    return { kind: 'not_waiting', task };
  return row.id_used === 1 ? { kind: 'message_id_used' } : undefined;
}

async function quotaProblem(
  manager: EntityManager,
  message: CountedMessage,
): Promise<AnswerOutcome | undefined> {
  const allowance = await MessageAllowance.of(manager, [message]);
  if (allowance.take(message)) return undefined;
  return { kind: 'quota_exceeded', retryAfterMs: await retryAfterMs(manager, message) };
}

async function append(manager: EntityManager, draft: AnswerDraft, nowMs: number): Promise<AnswerOutcome> {
  const { scope, taskId, retryKey, fingerprint, message } = draft;
  const row = await firstOf<TaskRow>(
    manager,
    `UPDATE tasks SET pending_answer = (SELECT COUNT(*) FROM messages WHERE task_id = ?1)
     WHERE id = ?1 RETURNING ${FULL}`,
    [taskId],
  );
  if (!row) throw new Error('The database lost the task that it had just shown');
  const task = taskOf(row);
  await manager.query('INSERT INTO messages (task_id, position, body) VALUES (?, ?, ?)', [
    taskId,
    task.pendingAnswer,
    JSON.stringify(message),
  ]);
  // The key of an expired task is free, as it is for new messages.
  await freeKeys(manager, [draft]);
  await manager.query(
    `INSERT INTO answers (account_id, agent_id, retry_key, fingerprint, task_id, position, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [...scopeValues(scope), retryKey, fingerprint, taskId, task.pendingAnswer, nowMs],
  );
  return { kind: 'accepted', task };
}

/** Takes an answer back; only while nothing was heard of it. */
export async function withdrawAnswer(
  manager: EntityManager,
  task: Pick<Task, 'id' | 'pendingAnswer'>,
): Promise<boolean> {
  if (task.pendingAnswer === undefined) return false;
  const place = [task.id, task.pendingAnswer];
  const withdrawn = await firstOf(
    manager,
    'UPDATE tasks SET pending_answer = NULL WHERE id = ? AND pending_answer = ? RETURNING id',
    place,
  );
  if (!withdrawn) return false;
  await manager.query('DELETE FROM answers WHERE task_id = ? AND position = ?', place);
  await manager.query('DELETE FROM messages WHERE task_id = ? AND position = ?', place);
  return true;
}

/** @returns the answer that is on its way, if there is one */
export async function pendingAnswerOf(
  reader: Pick<EntityManager, 'query'>,
  taskId: string,
): Promise<Message | undefined> {
  const row = await firstOf<{ body: string }>(
    reader,
    `SELECT body FROM messages JOIN tasks ON tasks.id = messages.task_id
     WHERE tasks.id = ? AND messages.position = tasks.pending_answer`,
    [taskId],
  );
  return row && messageOf(row);
}
