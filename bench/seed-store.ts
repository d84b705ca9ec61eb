import type { DataSource } from 'typeorm';
import { openWriter } from '../src/database/index.js';
import { TEXT, plannedTask } from './seed-plan.js';

const BATCH = 1_000;
const BATCHES_A_COMMIT = 20;

export interface SeedRequest {
  /** The database file; made, with the project's own migrations, when it is not there. */
  file: string;
  accountId: string;
  agentId: string;
  /** Task n belongs to `computer-<n modulo this>`; one computer by default. */
  computers?: number;
  total: number;
  /** When the newest task was made. */
  untilMs: number;
  expiresAtMs: number;
  /** Open tasks instead of completed ones. */
  open?: boolean;
  /** The plan's number of the first task; more than one seed of a store needs ids of their own. */
  from?: number;
}

/** Fills a store with tasks of the plan, by SQL in batches, while no service has it open. */
export async function seedStore(request: SeedRequest): Promise<void> {
  const writer = await openWriter(request.file);
  try {
    for (let done = 0; done < request.total;) {
      await writer.query('BEGIN');
      for (let batch = 0; batch < BATCHES_A_COMMIT && done < request.total; batch += 1) {
        const count = Math.min(BATCH, request.total - done);
        await insertBatch(writer, rows(request, done, count));
        done += count;
      }
      await writer.query('COMMIT');
    }
    await writer.query('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    await writer.destroy();
  }
}

function rows(request: SeedRequest, done: number, count: number): object[] {
  const { from = 0, total, untilMs, computers = 1 } = request;
  return Array.from({ length: count }, (_, at) => {
    const task = plannedTask(from + done + at, from + total, untilMs);
    const message = { messageId: task.messageId, role: 'user', parts: [{ text: TEXT }] };
    return {
      ...task,
      accountId: request.accountId,
      agentId: request.agentId,
      computerId: `computer-${(done + at) % computers}`,
      state: request.open ? 'working' : 'completed',
      revision: request.open ? 1 : 2,
      reply: request.open ? null : TEXT,
      expiresAtMs: request.expiresAtMs,
      body: JSON.stringify(message),
    };
  });
}

async function insertBatch(writer: DataSource, batch: object[]): Promise<void> {
  const json = JSON.stringify(batch);
  const member = (name: string) => `value ->> '$.${name}'`;
  await writer.query(
    `INSERT INTO tasks (id, account_id, agent_id, context_id, computer_id, state, status_at, created_at,
       expires_at, revision, interactive, retry_key, fingerprint, reply)
     SELECT ${member('id')}, ${member('accountId')}, ${member('agentId')}, ${member('contextId')},
       ${member('computerId')}, ${member('state')}, ${member('statusAtMs')}, ${member('createdAtMs')},
       ${member('expiresAtMs')}, ${member('revision')}, 0, ${member('messageId')},
       hex(zeroblob(32)), ${member('reply')}
     FROM json_each(?)`,
    [json],
  );
  await writer.query(
    `INSERT INTO messages (task_id, position, body)
     SELECT ${member('id')}, 0, ${member('body')} FROM json_each(?)`,
    [json],
  );
}
