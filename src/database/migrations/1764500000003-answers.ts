import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was made for a scope of three columns; the third one, the wire, goes. */
const DROPPED = [
  'DROP TRIGGER "tasks_counted"',
  'DROP TRIGGER "tasks_discounted"',
  'DROP TRIGGER "tasks_recounted"',
  'DROP INDEX "tasks_list"',
  'DROP INDEX "tasks_context"',
  'DROP INDEX "tasks_expiry"',
  'DROP INDEX "tasks_retry_key"',
  'DROP TABLE "task_totals"',
];

const TABLES = [
  'ALTER TABLE "tasks" DROP COLUMN "wire"',
  'ALTER TABLE "tasks" ADD COLUMN "pending_answer" integer',
  `CREATE TABLE "task_totals" (
    "account_id" text NOT NULL,
    "agent_id" text NOT NULL,
    "state" text NOT NULL,
    "total" integer NOT NULL,
    PRIMARY KEY ("account_id", "agent_id", "state")
  )`,
  `INSERT INTO "task_totals" ("account_id", "agent_id", "state", "total")
    SELECT "account_id", "agent_id", "state", COUNT(*) FROM "tasks" GROUP BY 1, 2, 3`,
  `CREATE TABLE "answers" (
    "account_id" text NOT NULL,
    "agent_id" text NOT NULL,
    "retry_key" text NOT NULL,
    "fingerprint" text NOT NULL,
    "task_id" text NOT NULL,
    "position" integer NOT NULL,
    "created_at" integer NOT NULL,
    CONSTRAINT "answers_of_task" FOREIGN KEY ("task_id") REFERENCES "tasks" ("id")
      ON DELETE CASCADE ON UPDATE NO ACTION,
    PRIMARY KEY ("account_id", "agent_id", "retry_key")
  )`,
];

const INDEXES = [
  `CREATE INDEX "tasks_list" ON "tasks"
    ("account_id", "agent_id", "status_at", "id", "state", "expires_at")`,
  `CREATE INDEX "tasks_context" ON "tasks"
    ("account_id", "agent_id", "context_id", "status_at", "id", "state", "expires_at")`,
  `CREATE INDEX "tasks_expiry" ON "tasks" ("expires_at", "account_id", "agent_id")`,
  `CREATE UNIQUE INDEX "tasks_retry_key" ON "tasks" ("account_id", "agent_id", "retry_key")`,
  `CREATE INDEX "answers_quota" ON "answers" ("account_id", "created_at")`,
  `CREATE INDEX "answers_task" ON "answers" ("task_id")`,
];

const count = `
  INSERT INTO task_totals (account_id, agent_id, state, total)
  VALUES (NEW.account_id, NEW.agent_id, NEW.state, 1)
  ON CONFLICT (account_id, agent_id, state) DO UPDATE SET total = total + 1;`;

const discount = `
  UPDATE task_totals SET total = total - 1
  WHERE account_id = OLD.account_id AND agent_id = OLD.agent_id AND state = OLD.state;
  DELETE FROM task_totals
  WHERE account_id = OLD.account_id AND agent_id = OLD.agent_id AND state = OLD.state AND total <= 0;`;

const TRIGGERS = [
  `CREATE TRIGGER "tasks_counted" AFTER INSERT ON "tasks" BEGIN ${count} END`,
  `CREATE TRIGGER "tasks_discounted" AFTER DELETE ON "tasks" BEGIN ${discount} END`,
  `CREATE TRIGGER "tasks_recounted" AFTER UPDATE OF "state" ON "tasks" WHEN OLD.state <> NEW.state
    BEGIN ${discount} ${count} END`,
];

/**
 * A task belongs to its account and its assistant, whichever wire made it, so that both wires read the same tasks.
 * And it can ask: the answers have retry keys of their own, and one that is on its way is marked at the task
 * (requirements P6, S5).
 */
export class Answers1764500000003 implements MigrationInterface {
  readonly name = 'Answers1764500000003';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...DROPPED, ...TABLES, ...INDEXES, ...TRIGGERS]) await runner.query(statement);
  }

  /** Forward only (requirement K1): a step back is a restored backup. */
  async down(): Promise<void> {
    throw new Error('Migrations run forward only; restore a backup instead');
  }
}
