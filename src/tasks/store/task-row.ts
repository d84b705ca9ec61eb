import type { EntityManager } from 'typeorm';
import type { Message, TaskState } from '../../a2a/index.js';
import type { Task, TaskScope } from '../task.js';

/** A row of `tasks` as the driver returns it. */
export interface TaskRow {
  id: string;
  account_id: string;
  agent_id: string;
  context_id: string;
  computer_id: string;
  state: TaskState;
  status_at: number;
  created_at: number;
  expires_at: number;
  revision: number;
  interactive: number;
  reply_truncated: number;
  last_checked_at: number | null;
  cancel_requested_at: number | null;
  pending_answer: number | null;
  status_text: string | null;
  reply: string | null;
}

/** The columns of `taskOf`. */
export const FULL = `id, account_id, agent_id, context_id, computer_id, state, status_at, created_at,
  expires_at, revision, interactive, reply_truncated, last_checked_at, cancel_requested_at,
  pending_answer, status_text, reply`;

/** The condition of every query of a caller (requirement H4), and its parameters. */
export const IN_SCOPE = 'account_id = ? AND agent_id = ?';
export function scopeValues(scope: TaskScope): [string, string] {
  return [scope.accountId, scope.agentId];
}

/** Spelled as in the partial indexes of open tasks, which serve only queries that say the same. */
export const IS_OPEN = `state IN ('submitted', 'working', 'input_required')`;

/**
 * The elements of the one JSON value that a statement is given, as `line`s. Kept apart: SQLite would write an element
 * out as text anew for every member that is read of it.
 */
export const GIVEN_LINES =
  'WITH given AS MATERIALIZED (SELECT key AS place, value AS line FROM json_each(?))';

/**
 * Runs SQL that returns rows. Statements that change something and return rows must not begin with their verb
 * for TypeORM's driver (it then asks SQLite for no rows), hence the line break.
 */
export async function rowsOf<Row>(
  source: Pick<EntityManager, 'query'>,
  sql: string,
  values: unknown[],
): Promise<Row[]> {
  return await source.query<Row[]>(`\n${sql}`, values);
}

export async function firstOf<Row>(
  source: Pick<EntityManager, 'query'>,
  sql: string,
  values: unknown[],
): Promise<Row | undefined> {
  return (await rowsOf<Row>(source, sql, values))[0];
}

/** The task that a row holds; absent members are absent and not null. */
export function taskOf(row: TaskRow): Task {
  const task: Task = {
    id: row.id,
    accountId: row.account_id,
    agentId: row.agent_id,
    contextId: row.context_id,
    computerId: row.computer_id,
    state: row.state,
    statusAtMs: row.status_at,
    createdAtMs: row.created_at,
    expiresAtMs: row.expires_at,
    revision: row.revision,
    interactive: row.interactive === 1,
    replyTruncated: row.reply_truncated === 1,
  };
  if (row.status_text !== null) task.statusText = row.status_text;
  if (row.reply !== null) task.reply = row.reply;
  if (row.last_checked_at !== null) task.lastCheckedAtMs = row.last_checked_at;
  if (row.cancel_requested_at !== null) task.cancelRequestedAtMs = row.cancel_requested_at;
  if (row.pending_answer !== null) task.pendingAnswer = row.pending_answer;
  return task;
}

export function messageOf(row: { body: string }): Message {
  return JSON.parse(row.body) as Message;
}
