import type { Clock } from '../../common/index.js';
import type { SubmitParams } from '../../relay-protocol/index.js';
import type { Statements } from './sqlite-file.js';
import type { UnitQueue } from './unit-queue.js';

/** One thing that was said in a conversation. */
export interface Turn {
  role: 'user' | 'assistant';
  content: string;
}

/** Whose conversation: one account with one agent in one context. Nothing else is ever read for a job. */
export interface ConversationKey {
  agent: string;
  accountId: string;
  contextId: string;
}

const KEPT_TURNS = 40;
const KEPT_CHARACTERS = 200_000;
const WHERE_KEY = 'agent = ? AND account_id = ? AND context_id = ?';

export function conversationKey(order: SubmitParams): ConversationKey {
  return { agent: order.agent, accountId: order.caller.accountId, contextId: order.contextId };
}

/** Adds turns inside the unit that stores the job's result, and drops the oldest past the bound. */
export async function rememberTurns(
  statements: Statements,
  key: ConversationKey,
  turns: Turn[],
  expiresAtMs: number,
): Promise<void> {
  const where = [key.agent, key.accountId, key.contextId];
  for (const turn of turns) {
    await statements.run(
      `INSERT INTO turns (agent, account_id, context_id, role, content, expires_at) VALUES (?, ?, ?, ?, ?, ?)`,
      [...where, turn.role, turn.content, expiresAtMs],
    );
  }
  await statements.run(
    `DELETE FROM turns WHERE ${WHERE_KEY} AND id NOT IN
       (SELECT id FROM turns WHERE ${WHERE_KEY} ORDER BY id DESC LIMIT ?)`,
    [...where, ...where, KEPT_TURNS],
  );
}

export class ConversationStore {
  constructor(
    private readonly queue: UnitQueue,
    private readonly clock: Clock,
  ) {}

  /** The newest turns of a conversation, oldest first, bounded in number and size. */
  async recent(key: ConversationKey): Promise<Turn[]> {
    const rows = await this.queue.run((statements) =>
      statements.all<Turn>(
        `SELECT role, content FROM turns WHERE ${WHERE_KEY} AND expires_at > ? ORDER BY id DESC LIMIT ?`,
        [key.agent, key.accountId, key.contextId, this.clock.now(), KEPT_TURNS],
      ),
    );
    let room = KEPT_CHARACTERS;
    const fitting: Turn[] = [];
    for (const row of rows) {
      room -= row.content.length;
      if (room < 0) break;
      fitting.unshift(row);
    }
    return fitting;
  }

  /** A turn goes with the job it came from (requirement K2). */
  deleteExpired(limit: number): Promise<number> {
    return this.queue.run((statements) =>
      statements.run(`DELETE FROM turns WHERE id IN (SELECT id FROM turns WHERE expires_at <= ? LIMIT ?)`, [
        this.clock.now(),
        limit,
      ]),
    );
  }
}
