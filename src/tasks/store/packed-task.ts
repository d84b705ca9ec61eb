import type { Message } from '../../a2a/index.js';
import type { Task } from '../task.js';
import { type TaskRow, taskOf } from './task-row.js';

const COLUMNS = [
  'id',
  'account_id',
  'agent_id',
  'context_id',
  'computer_id',
  'state',
  'status_at',
  'created_at',
  'expires_at',
  'revision',
  'interactive',
  'reply_truncated',
  'last_checked_at',
  'cancel_requested_at',
  'pending_answer',
  'status_text',
] as const satisfies (keyof TaskRow)[];

/**
 * SQL for a task and its messages as one JSON text. The driver spends more on the columns of a row than SQLite on
 * finding it, and JSON is quick to read.
 * @param reply `NULL` where replies are not read
 * @param history an expression as `historyOf` makes it, or NULL
 */
export function packedTask(reply: 'reply' | 'NULL', history: string): string {
  return `json_array(${[history, reply, ...COLUMNS].join(', ')}) AS packed`;
}

/** Reads what `packedTask` made. */
export function unpackTask(packed: string): { task: Task; history: Message[] } {
  const [history, reply, ...values] = JSON.parse(packed) as [string | null, string | null, ...unknown[]];
  const row: Record<string, unknown> = { reply };
  for (const [place, column] of COLUMNS.entries()) row[column] = values[place];
  return { task: taskOf(row as unknown as TaskRow), history: messagesOf(history) };
}

/** @param history as `historyOf` makes it; null when there is none */
export function messagesOf(history: string | null): Message[] {
  return history === null ? [] : (JSON.parse(history) as Message[]);
}
