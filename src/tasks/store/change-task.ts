import type { EntityManager } from 'typeorm';
import type { Task } from '../task.js';
import type { ReportOutcome } from '../task-store.js';
import { FULL, IS_OPEN, type TaskRow, firstOf, rowsOf, taskOf } from './task-row.js';

/** Fails a task that its daemon does not know, unless it was heard of after the question was asked. */
export async function failUnknown(
  manager: EntityManager,
  computerId: string,
  question: { taskId: string; revision: number },
  answer: { statusText: string; nowMs: number },
): Promise<ReportOutcome> {
  const failed = await firstOf<TaskRow>(
    manager,
    `UPDATE tasks SET status_at = MAX(status_at, ?1), state = 'failed', status_text = ?2,
       pending_answer = NULL,
       last_checked_at = MAX(COALESCE(last_checked_at, 0), ?1)
     WHERE id = ?3 AND computer_id = ?4 AND revision = ?5 AND ${IS_OPEN} AND expires_at > ?1
     RETURNING ${FULL}`,
    [answer.nowMs, answer.statusText, question.taskId, computerId, question.revision],
  );
  if (failed) return { kind: 'applied', task: taskOf(failed) };
  return await unchanged(manager, computerId, question.taskId, answer.nowMs);
}

export async function recordCancelRequest(
  manager: EntityManager,
  taskId: string,
  nowMs: number,
): Promise<Task | undefined> {
  const recorded = await firstOf<TaskRow>(
    manager,
    `UPDATE tasks SET cancel_requested_at = COALESCE(cancel_requested_at, ?1)
     WHERE id = ?2 AND ${IS_OPEN} AND expires_at > ?1 RETURNING ${FULL}`,
    [nowMs, taskId],
  );
  const row =
    recorded ??
    (await firstOf<TaskRow>(manager, `SELECT ${FULL} FROM tasks WHERE id = ? AND expires_at > ?`, [
      taskId,
      nowMs,
    ]));
  return row && taskOf(row);
}

export async function withdraw(manager: EntityManager, taskId: string): Promise<boolean> {
  const gone = await firstOf(
    manager,
    `DELETE FROM tasks WHERE id = ? AND revision = 0 AND state = 'submitted' RETURNING id`,
    [taskId],
  );
  return gone !== undefined;
}

/** Ends in the order of expiry; an index of the open tasks alone serves it. */
export async function endExpired(
  manager: EntityManager,
  limit: number,
  end: { statusText: string; nowMs: number },
): Promise<Task[]> {
  const rows = await rowsOf<TaskRow>(
    manager,
    `UPDATE tasks SET status_at = MAX(status_at, ?1), state = 'failed', status_text = ?2, pending_answer = NULL
     WHERE id IN (SELECT id FROM tasks WHERE ${IS_OPEN} AND expires_at <= ?1 ORDER BY expires_at LIMIT ?3)
     RETURNING ${FULL}`,
    [end.nowMs, end.statusText, limit],
  );
  return rows.map(taskOf);
}

/** Deletes in the order of expiry; messages go with their task and totals follow by trigger. */
export async function deleteExpired(
  manager: EntityManager,
  limit: number,
  nowMs: number,
): Promise<{ taskId: string; computerId: string }[]> {
  return await manager.query<{ taskId: string; computerId: string }[]>(
    `
    DELETE FROM tasks WHERE id IN (
      SELECT id FROM tasks WHERE expires_at <= ? AND NOT ${IS_OPEN} ORDER BY expires_at LIMIT ?)
    RETURNING id AS "taskId", computer_id AS "computerId"`,
    [nowMs, limit],
  );
}

async function unchanged(
  manager: EntityManager,
  computerId: string,
  taskId: string,
  nowMs: number,
): Promise<ReportOutcome> {
  const row = await firstOf<TaskRow>(
    manager,
    `SELECT ${FULL} FROM tasks WHERE id = ? AND computer_id = ? AND expires_at > ?`,
    [taskId, computerId, nowMs],
  );
  return row ? { kind: 'ignored', task: taskOf(row) } : { kind: 'unknown' };
}
