import type { DataSource } from 'typeorm';
import type { TaskScope, TaskWithHistory } from '../task.js';
import type { ListQuery, TaskCursor, TaskFilter } from '../task-store.js';
import { historyOf } from './find-tasks.js';
import { packedTask, unpackTask } from './packed-task.js';
import { IN_SCOPE, IS_OPEN, rowsOf, scopeValues } from './task-row.js';

/** A WHERE clause and its parameters; a condition whose value is absent is left out on purpose. */
interface Condition {
  sql: string;
  values: unknown[];
}

function conditionOf(scope: TaskScope, filter: TaskFilter, after?: TaskCursor): Condition {
  const terms = [IN_SCOPE];
  const values: unknown[] = [...scopeValues(scope)];
  const add = (term: string, ...added: unknown[]) => {
    terms.push(term);
    values.push(...added);
  };
  if (filter.contextId !== undefined) add('context_id = ?', filter.contextId);
  if (filter.state !== undefined) add('state = ?', filter.state);
  if (filter.statusSinceMs !== undefined) add('status_at >= ?', filter.statusSinceMs);
  if (after) add('(status_at, id) < (?, ?)', after.statusAtMs, after.id);
  return { sql: terms.join(' AND '), values };
}

/** The SQL of a page, apart so that a test can ask SQLite how it runs. */
export function pageStatement(query: ListQuery): Condition {
  const where = conditionOf(query.scope, query.filter, query.after);
  const historyLength = query.historyLength ?? 0;
  const history = historyLength < 1 ? 'NULL' : historyOf('tasks.id', '?');
  return {
    sql: `SELECT ${packedTask(query.includeReply ? 'reply' : 'NULL', history)} FROM tasks
      WHERE ${where.sql} AND expires_at > ? ORDER BY status_at DESC, id DESC LIMIT ?`,
    values: [...(historyLength < 1 ? [] : [historyLength]), ...where.values, query.nowMs, query.limit],
  };
}

/** @returns tasks in list order (requirement G3), with the messages asked for */
export async function listTasks(reader: DataSource, query: ListQuery): Promise<TaskWithHistory[]> {
  const page = pageStatement(query);
  const rows = await rowsOf<{ packed: string }>(reader, page.sql, page.values);
  return rows.map(({ packed }) => {
    const { task, history } = unpackTask(packed);
    return { ...task, history };
  });
}

/** The SQL of a count, apart so that a test can ask SQLite how it runs. */
export function countStatement(scope: TaskScope, filter: TaskFilter, nowMs: number): Condition {
  if (filter.contextId !== undefined || filter.statusSinceMs !== undefined) {
    const where = conditionOf(scope, filter);
    return {
      sql: `SELECT COUNT(*) AS total FROM tasks WHERE ${where.sql} AND expires_at > ?`,
      values: [...where.values, nowMs],
    };
  }
  const state = filter.state === undefined ? '' : ' AND state = ?';
  const values = [...scopeValues(scope), ...(filter.state === undefined ? [] : [filter.state])];
  return {
    // Named indexes: the planner would walk the whole list of the caller, and what is open or expired is few.
    sql: `SELECT
        (SELECT COALESCE(SUM(total), 0) FROM task_totals WHERE ${IN_SCOPE}${state})
      + (SELECT COUNT(*) FROM tasks INDEXED BY tasks_open_scope WHERE ${IN_SCOPE}${state} AND ${IS_OPEN})
      - (SELECT COUNT(*) FROM tasks INDEXED BY tasks_expiry WHERE expires_at <= ? AND ${IN_SCOPE}${state}) AS total`,
    values: [...values, ...values, nowMs, ...values],
  };
}

export async function countTasks(
  reader: DataSource,
  scope: TaskScope,
  filter: TaskFilter,
  nowMs: number,
): Promise<number> {
  const statement = countStatement(scope, filter, nowMs);
  const rows = await rowsOf<{ total: number }>(reader, statement.sql, statement.values);
  return rows[0]?.total ?? 0;
}
