import type { EntityManager } from 'typeorm';
import type { Task } from '../task.js';
import { FULL, IS_OPEN, type TaskRow, rowsOf, taskOf } from './task-row.js';

/** @internal for its test */
export const HAVE_OPEN_TASKS = `SELECT key AS place FROM json_each(?)
  WHERE EXISTS (SELECT 1 FROM tasks WHERE computer_id = value AND ${IS_OPEN})`;

/** @internal for its test */
export const OPEN_TASKS = `SELECT ${FULL} FROM tasks WHERE computer_id = ? AND ${IS_OPEN} AND expires_at > ?
  ORDER BY last_checked_at, id LIMIT ?`;

/** @returns for each computer whether it may have an open task; most have none, whenever all of them are gone through */
export async function haveOpenTasks(
  source: Pick<EntityManager, 'query'>,
  computerIds: string[],
): Promise<boolean[]> {
  const rows = await rowsOf<{ place: number }>(source, HAVE_OPEN_TASKS, [JSON.stringify(computerIds)]);
  const places = new Set(rows.map(({ place }) => place));
  return computerIds.map((_, place) => places.has(place));
}

export async function findOpenTasks(
  source: Pick<EntityManager, 'query'>,
  { computerId, limit, nowMs }: { computerId: string; limit: number; nowMs: number },
): Promise<Task[]> {
  const rows = await rowsOf<TaskRow>(source, OPEN_TASKS, [computerId, nowMs, limit]);
  return rows.map(taskOf);
}
