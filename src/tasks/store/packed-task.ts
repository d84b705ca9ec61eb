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

/** The values of columns in their order, so that the compiler sees one read from another's place when their types differ. */
type ValuesOf<Columns extends readonly (keyof TaskRow)[]> = {
  -readonly [Place in keyof Columns]: TaskRow[Columns[Place]];
};
type PackedTask = [history: string | null, reply: string | null, ...ValuesOf<typeof COLUMNS>];

/**
 * SQL for a task and its messages as one JSON text. The driver spends more on the columns of a row than SQLite on
 * finding it, and JSON is quick to read.
 * @param reply `NULL` where replies are not read
 * @param history an expression as `historyOf` makes it, or NULL
 */
export function packedTask(reply: 'reply' | 'NULL', history: string): string {
  return `json_array(${[history, reply, ...COLUMNS].join(', ')}) AS packed`;
}

/** Reads what `packedTask` made. A row is written out in the order of `COLUMNS`: set member by member it cost half of the reading. */
export function unpackTask(packed: string): { task: Task; history: Message[] } {
  const [history, reply, ...columns] = JSON.parse(packed) as PackedTask;
  const task = taskOf({
    id: columns[0],
    account_id: columns[1],
    agent_id: columns[2],
    context_id: columns[3],
    computer_id: columns[4],
    state: columns[5],
    status_at: columns[6],
    created_at: columns[7],
    expires_at: columns[8],
    revision: columns[9],
    interactive: columns[10],
    reply_truncated: columns[11],
    last_checked_at: columns[12],
    cancel_requested_at: columns[13],
    pending_answer: columns[14],
    status_text: columns[15],
    reply,
  });
  return { task, history: messagesOf(history) };
}

/** @param history as `historyOf` makes it; null when there is none */
export function messagesOf(history: string | null): Message[] {
  return history === null ? [] : (JSON.parse(history) as Message[]);
}
