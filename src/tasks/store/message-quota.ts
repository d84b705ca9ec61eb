import type { EntityManager } from 'typeorm';
import type { MessageLimit } from '../message-quota.js';
import { GIVEN_LINES, IS_OPEN, firstOf, rowsOf } from './task-row.js';

/** A message that counts if it is taken. */
export interface CountedMessage {
  accountId: string;
  quota: MessageLimit;
  nowMs: number;
}

/**
 * New tasks and answers alike are messages (requirement S9). The index of lists finds the tasks: it has the assistants
 * of an account apart, and the time of a status is never before that of the creation.
 */
export function sentSince(account: string, since: string): string {
  return `SELECT created_at FROM (
      SELECT agent_id AS of_agent FROM task_totals WHERE account_id = ${account}
      UNION SELECT agent_id FROM tasks WHERE account_id = ${account} AND ${IS_OPEN})
    CROSS JOIN tasks WHERE account_id = ${account} AND agent_id = of_agent
      AND status_at > ${since} AND created_at > ${since}
    UNION ALL SELECT created_at FROM answers WHERE account_id = ${account} AND created_at > ${since}`;
}

/** Counts on the indexes, at most as many entries as the limit. */
const SENT = `SELECT key AS place,
    (SELECT COUNT(*) FROM (${sentSince('value ->> 0', 'value ->> 1')} LIMIT ?2)) AS sent FROM json_each(?1)`;

/**
 * The messages with which an account may come to its limit, by at least as many as it sent: all that it has on disk, by the
 * totals, and its answers of that time. That takes no walk through its tasks.
 */
const NEAR = `${GIVEN_LINES} SELECT place FROM given WHERE line ->> 2 <
    (SELECT COALESCE(SUM(total), 0) FROM task_totals WHERE account_id = line ->> 0)
  + (SELECT COUNT(*) FROM tasks WHERE account_id = line ->> 0 AND ${IS_OPEN})
  + (SELECT COUNT(*) FROM answers WHERE account_id = line ->> 0 AND created_at > line ->> 1)`;

/**
 * What accounts may still send, for messages that are decided upon one after another in one transaction. Messages
 * "of the future", sent before the clock was set back, count as well: the limit may then bite early, never late.
 */
export class MessageAllowance {
  /** When messages were sent that were taken here and are not written yet, by account. */
  readonly #taken = new Map<string, number[]>();

  private constructor(
    /** What was sent before, where the limit is near. */
    private readonly sentBefore: ReadonlyMap<CountedMessage, number>,
  ) {}

  /** @param messages all about which will be decided */
  static async of(manager: EntityManager, messages: readonly CountedMessage[]): Promise<MessageAllowance> {
    const asked = messages.map((message) => [
      message.accountId,
      since(message),
      message.quota.limit - messages.length,
    ]);
    const rows = await rowsOf<{ place: number }>(manager, NEAR, [JSON.stringify(asked)]);
    const near = rows.map(({ place }) => messages[place] as CountedMessage);
    return new MessageAllowance(near.length === 0 ? new Map() : await countSent(manager, near));
  }

  /** Takes the message if there is room for it. @returns whether there was */
  take(message: CountedMessage): boolean {
    const { accountId, quota, nowMs } = message;
    const taken = this.#taken.get(accountId) ?? [];
    const sentHere = taken.filter((atMs) => atMs > since(message)).length;
    if ((this.sentBefore.get(message) ?? 0) + sentHere >= quota.limit) return false;
    taken.push(nowMs);
    this.#taken.set(accountId, taken);
    return true;
  }
}

async function countSent(
  manager: EntityManager,
  messages: readonly CountedMessage[],
): Promise<Map<CountedMessage, number>> {
  const asked = JSON.stringify(messages.map((message) => [message.accountId, since(message)]));
  const highest = Math.max(...messages.map(({ quota }) => quota.limit));
  const rows = await rowsOf<{ place: number; sent: number }>(manager, SENT, [asked, highest]);
  return new Map(rows.map(({ place, sent }) => [messages[place] as CountedMessage, sent]));
}

/**
 * When an account that has used up its messages can send the next one.
 * @returns milliseconds from the message's time until the oldest message that is in its way leaves the window
 */
export async function retryAfterMs(manager: EntityManager, message: CountedMessage): Promise<number> {
  const { accountId, quota, nowMs } = message;
  const blocking = await firstOf<{ created_at: number }>(
    manager,
    `${sentSince('?1', '?2')} ORDER BY created_at DESC LIMIT 1 OFFSET ?3`,
    [accountId, since(message), Math.max(0, quota.limit - 1)],
  );
  return (blocking?.created_at ?? nowMs) + quota.windowMs - nowMs;
}

function since({ quota, nowMs }: CountedMessage): number {
  return nowMs - quota.windowMs;
}
