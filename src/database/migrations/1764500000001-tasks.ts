import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = [
  `CREATE TABLE "tasks" (
    "id" text PRIMARY KEY NOT NULL,
    "account_id" text NOT NULL,
    "agent_id" text NOT NULL,
    "wire" text NOT NULL,
    "context_id" text NOT NULL,
    "computer_id" text NOT NULL,
    "state" text NOT NULL,
    "status_at" integer NOT NULL,
    "created_at" integer NOT NULL,
    "expires_at" integer NOT NULL,
    "revision" integer NOT NULL DEFAULT (0),
    "interactive" boolean NOT NULL,
    "reply_truncated" boolean NOT NULL DEFAULT (0),
    "last_checked_at" integer,
    "cancel_requested_at" integer,
    "retry_key" text NOT NULL,
    "fingerprint" text NOT NULL,
    "status_text" text,
    "reply" text
  )`,
  `CREATE TABLE "messages" (
    "task_id" text NOT NULL,
    "position" integer NOT NULL,
    "body" text NOT NULL,
    CONSTRAINT "messages_of_task" FOREIGN KEY ("task_id") REFERENCES "tasks" ("id")
      ON DELETE CASCADE ON UPDATE NO ACTION,
    PRIMARY KEY ("task_id", "position")
  )`,
  `CREATE TABLE "task_totals" (
    "account_id" text NOT NULL,
    "agent_id" text NOT NULL,
    "wire" text NOT NULL,
    "state" text NOT NULL,
    "total" integer NOT NULL,
    PRIMARY KEY ("account_id", "agent_id", "wire", "state")
  )`,
  `CREATE TABLE "signing_keys" ("name" text PRIMARY KEY NOT NULL, "value" text NOT NULL)`,
];

const INDEXES = [
  `CREATE INDEX "tasks_list" ON "tasks"
    ("account_id", "agent_id", "wire", "status_at", "id", "state", "expires_at")`,
  `CREATE INDEX "tasks_context" ON "tasks"
    ("account_id", "agent_id", "wire", "context_id", "status_at", "id", "state", "expires_at")`,
  `CREATE INDEX "tasks_quota" ON "tasks" ("account_id", "created_at")`,
  `CREATE INDEX "tasks_open" ON "tasks" ("computer_id", "last_checked_at", "id")
    WHERE state IN ('submitted', 'working', 'input_required')`,
  `CREATE INDEX "tasks_expiry" ON "tasks" ("expires_at", "account_id", "agent_id", "wire")`,
  `CREATE UNIQUE INDEX "tasks_retry_key" ON "tasks" ("account_id", "agent_id", "wire", "retry_key")`,
];

const count = `
  INSERT INTO task_totals (account_id, agent_id, wire, state, total)
  VALUES (NEW.account_id, NEW.agent_id, NEW.wire, NEW.state, 1)
  ON CONFLICT (account_id, agent_id, wire, state) DO UPDATE SET total = total + 1;`;

/** A total that reaches zero goes, so that nothing stays of an account whose tasks are gone (requirement K2). */
const discount = `
  UPDATE task_totals SET total = total - 1
  WHERE account_id = OLD.account_id AND agent_id = OLD.agent_id AND wire = OLD.wire AND state = OLD.state;
  DELETE FROM task_totals
  WHERE account_id = OLD.account_id AND agent_id = OLD.agent_id AND wire = OLD.wire AND state = OLD.state
    AND total <= 0;`;

const TRIGGERS = [
  `CREATE TRIGGER "tasks_counted" AFTER INSERT ON "tasks" BEGIN ${count} END`,
  `CREATE TRIGGER "tasks_discounted" AFTER DELETE ON "tasks" BEGIN ${discount} END`,
  `CREATE TRIGGER "tasks_recounted" AFTER UPDATE OF "state" ON "tasks" WHEN OLD.state <> NEW.state
    BEGIN ${discount} ${count} END`,
];

/** Tasks, their messages, the totals of lists, and the keys with which the service signs (design §4). */
export class Tasks1764500000001 implements MigrationInterface {
  readonly name = 'Tasks1764500000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...INDEXES, ...TRIGGERS]) await runner.query(statement);
  }

  /** Forward only (requirement K1): a step back is a restored backup. */
  async down(): Promise<void> {
    throw new Error('Migrations run forward only; restore a backup instead');
  }
}
