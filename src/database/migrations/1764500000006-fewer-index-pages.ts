import type { MigrationInterface, QueryRunner } from 'typeorm';

const OPEN = `('submitted', 'working', 'input_required')`;

const DROPPED = [
  'DROP TRIGGER "tasks_counted"',
  'DROP TRIGGER "tasks_discounted"',
  'DROP TRIGGER "tasks_recounted"',
  'DROP TABLE "task_totals"',
  'DROP INDEX "tasks_list"',
  'DROP INDEX "tasks_context"',
  'DROP INDEX "tasks_quota"',
];

const TOTALS = [
  `CREATE TABLE "task_totals" (
    "account_id" text NOT NULL,
    "agent_id" text NOT NULL,
    "state" text NOT NULL,
    "total" integer NOT NULL,
    PRIMARY KEY ("account_id", "agent_id", "state")
  ) WITHOUT ROWID`,
  `INSERT INTO "task_totals" ("account_id", "agent_id", "state", "total")
    SELECT "account_id", "agent_id", "state", COUNT(*) FROM "tasks" WHERE "state" NOT IN ${OPEN} GROUP BY 1, 2, 3`,
];

const INDEXES = [
  `CREATE INDEX "tasks_list" ON "tasks"
    ("account_id", "agent_id", "status_at", "id", "state", "expires_at", "created_at")`,
  `CREATE INDEX "tasks_context" ON "tasks"
    ("context_id", "account_id", "agent_id", "status_at", "id", "state", "expires_at")`,
  `CREATE INDEX "tasks_open_scope" ON "tasks" ("account_id", "agent_id", "state") WHERE state IN ${OPEN}`,
];

const count = `
  INSERT INTO task_totals (account_id, agent_id, state, total)
  VALUES (NEW.account_id, NEW.agent_id, NEW.state, 1)
  ON CONFLICT (account_id, agent_id, state) DO UPDATE SET total = total + 1;`;

/** A total that reaches zero goes, so that nothing stays of an account whose tasks are gone (requirement K2). */
const discount = `
  UPDATE task_totals SET total = total - 1
  WHERE account_id = OLD.account_id AND agent_id = OLD.agent_id AND state = OLD.state;
  DELETE FROM task_totals
  WHERE account_id = OLD.account_id AND agent_id = OLD.agent_id AND state = OLD.state AND total <= 0;`;

/** Whatever writes, the totals are right; the service itself never changes a state that is finished. */
const TRIGGERS = [
  `CREATE TRIGGER "tasks_counted" AFTER INSERT ON "tasks" WHEN NEW.state NOT IN ${OPEN} BEGIN ${count} END`,
  `CREATE TRIGGER "tasks_discounted" AFTER DELETE ON "tasks" WHEN OLD.state NOT IN ${OPEN} BEGIN ${discount} END`,
  `CREATE TRIGGER "tasks_finished" AFTER UPDATE OF "state" ON "tasks"
    WHEN NEW.state NOT IN ${OPEN} AND OLD.state <> NEW.state BEGIN ${count} END`,
  `CREATE TRIGGER "tasks_reopened" AFTER UPDATE OF "state" ON "tasks"
    WHEN OLD.state NOT IN ${OPEN} AND OLD.state <> NEW.state BEGIN ${discount} END`,
];

/**
 * A task changes fewer pages (ADR 0020): totals are kept of finished tasks alone, and the few open ones are counted; the
 * order of lists also serves the quota; contexts, whose ids grow with time, come first in their index, so that
 * those of one moment share a page.
 */
export class FewerIndexPages1764500000006 implements MigrationInterface {
  readonly name = 'FewerIndexPages1764500000006';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...DROPPED, ...TOTALS, ...INDEXES, ...TRIGGERS]) await runner.query(statement);
  }

  /** Forward only (requirement K1): a step back is a restored backup. */
  async down(): Promise<void> {
    throw new Error('Migrations run forward only; restore a backup instead');
  }
}
