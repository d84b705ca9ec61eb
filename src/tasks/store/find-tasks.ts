import type { EntityManager } from 'typeorm';
import type { Message } from '../../a2a/index.js';
import type { Task, TaskScope } from '../task.js';
import { messagesOf, packedTask, unpackTask } from './packed-task.js';
import { rowsOf } from './task-row.js';

/** A task that a caller asks for. */
export interface TaskQuestion {
  scope: TaskScope;
  taskId: string;
  nowMs: number;
  /** The last so many messages; absent = all. */
  historyLength?: number | undefined;
}

/** SQL for all messages of a task, oldest first, as a JSON array. */
function allMessagesOf(taskId: string): string {
  return `(SELECT '[' || group_concat(body, ',' ORDER BY position) || ']' FROM messages WHERE task_id = ${taskId})`;
}

/**
 * SQL for the last messages of a task, oldest first, as a JSON array. Positions have no gaps, so that a length is
 * a bound of positions.
 * @param length an expression; NULL for all messages
 */
export function historyOf(taskId: string, length: string): string {
  return `(SELECT '[' || group_concat(body, ',' ORDER BY position) || ']' FROM messages WHERE task_id = ${taskId}
    AND position > COALESCE((SELECT MAX(position) FROM messages WHERE task_id = ${taskId}) - ${length}, -1))`;
}

const HISTORY_IF_ANY = `CASE WHEN length IS NULL THEN ${allMessagesOf('id')}
  WHEN length IS 0 THEN NULL ELSE ${historyOf('id', 'length')} END`;
const FIND = `WITH wanted AS (SELECT key AS place, value ->> 0 AS of_task, value ->> 1 AS of_account,
    value ->> 2 AS of_agent, value ->> 3 AS now, value ->> 4 AS length FROM json_each(?))
  SELECT place, ${packedTask('reply', HISTORY_IF_ANY)}
  FROM wanted CROSS JOIN tasks
  WHERE id = of_task AND account_id = of_account AND agent_id = of_agent AND expires_at > now`;

const HISTORIES = `SELECT key AS place, ${historyOf('value ->> 0', 'value ->> 1')} AS history FROM json_each(?)`;

/** @returns for each question its task, as far as it is in the scope and has not expired (requirements H4, K2) */
export async function findTasks(
  source: Pick<EntityManager, 'query'>,
  questions: TaskQuestion[],
): Promise<({ task: Task; history: Message[] } | undefined)[]> {
  const asked = questions.map(({ taskId, scope, nowMs, historyLength }) => [
    taskId,
    scope.accountId,
    scope.agentId,
    nowMs,
    historyLength ?? null,
  ]);
  const rows = await rowsOf<{ place: number; packed: string }>(source, FIND, [JSON.stringify(asked)]);
  const tasks = new Map(rows.map(({ place, packed }) => [place, unpackTask(packed)]));
  return questions.map((_, place) => tasks.get(place));
}

/** @returns for each task its last messages, oldest first */
export async function findHistories(
  source: Pick<EntityManager, 'query'>,
  questions: { taskId: string; length?: number | undefined }[],
): Promise<Message[][]> {
  const asked = JSON.stringify(questions.map(({ taskId, length }) => [taskId, length ?? null]));
  const rows = await rowsOf<{ place: number; history: string | null }>(source, HISTORIES, [asked]);
  const histories = new Map(rows.map((row) => [row.place, messagesOf(row.history)]));
  return questions.map((_, place) => histories.get(place) ?? []);
}
