import type { EntityManager } from 'typeorm';
import { questionOf, type Task, type TaskReport } from '../task.js';
import type { ReportOutcome } from '../task-store.js';
import { FULL, IS_OPEN, type TaskRow, firstOf, rowsOf, taskOf } from './task-row.js';

/** Sets the status time when the status says something else than before; it never moves backwards. */
const STATUS_AT = `status_at = CASE WHEN state IS ?2 AND status_text IS ?3 THEN status_at
  ELSE MAX(status_at, ?1) END`;

/** One conditional statement decides (design §4); what follows only finds out what to answer. */
export async function applyReport(
  manager: EntityManager,
  computerId: string,
  report: TaskReport,
  times: { nowMs: number; checked: boolean },
): Promise<ReportOutcome> {
  const applied = await firstOf<TaskRow>(
    manager,
    `UPDATE tasks SET ${STATUS_AT}, state = ?2, status_text = ?3, revision = ?4, pending_answer = NULL,
       reply = COALESCE(?5, reply),
       reply_truncated = CASE WHEN ?5 IS NULL THEN reply_truncated ELSE ?6 END,
       last_checked_at = ${times.checked ? 'MAX(COALESCE(last_checked_at, 0), ?1)' : 'last_checked_at'}
     WHERE id = ?7 AND computer_id = ?8 AND revision < ?4 AND ${IS_OPEN} AND expires_at > ?1
     RETURNING ${FULL}`,
    [
      times.nowMs,
      report.state,
      report.statusText ?? null,
      report.revision,
      report.reply ?? null,
      report.replyTruncated ? 1 : 0,
      report.taskId,
      computerId,
    ],
  );
  if (applied) {
    const task = taskOf(applied);
    await addQuestion(manager, task);
    return { kind: 'applied', task };
  }
  return times.checked
    ? await recordCheck(manager, computerId, report.taskId, times.nowMs)
    : await unchanged(manager, computerId, report.taskId, times.nowMs);
}

/**
 * A question is part of the conversation: it stays in the history when the state has moved on (requirement P6). One
 * that replaces an unanswered one takes its place, so that the history grows with the caller's messages alone.
 */
async function addQuestion(manager: EntityManager, task: Task): Promise<void> {
  if (task.state !== 'input_required' || task.statusText === undefined) return;
  await manager.query(
    `INSERT OR REPLACE INTO messages (task_id, position, body)
     SELECT ?1, MAX(position) + (json_extract(body, '$.role') = 'user'), ?2 FROM messages WHERE task_id = ?1`,
    [task.id, JSON.stringify(questionOf(task, task.statusText))],
  );
}

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

async function recordCheck(
  manager: EntityManager,
  computerId: string,
  taskId: string,
  nowMs: number,
): Promise<ReportOutcome> {
  const row = await firstOf<TaskRow>(
    manager,
    `UPDATE tasks SET last_checked_at = MAX(COALESCE(last_checked_at, 0), ?1)
     WHERE id = ?2 AND computer_id = ?3 AND ${IS_OPEN} AND expires_at > ?1 RETURNING ${FULL}`,
    [nowMs, taskId, computerId],
  );
  return row ? { kind: 'ignored', task: taskOf(row) } : await unchanged(manager, computerId, taskId, nowMs);
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
