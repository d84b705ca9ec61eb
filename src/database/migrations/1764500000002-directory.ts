import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = [
  `CREATE TABLE "accounts" (
    "id" text PRIMARY KEY NOT NULL,
    "username" text NOT NULL,
    "active" boolean NOT NULL
  )`,
  `CREATE TABLE "computers" (
    "id" text PRIMARY KEY NOT NULL,
    "account_id" text NOT NULL,
    "relay_token_hash" text NOT NULL,
    "last_seen_at" integer,
    "active" boolean NOT NULL,
    CONSTRAINT "account_of_computer" FOREIGN KEY ("account_id") REFERENCES "accounts" ("id")
      ON DELETE NO ACTION ON UPDATE NO ACTION
  )`,
  `CREATE TABLE "agents" (
    "id" text PRIMARY KEY NOT NULL,
    "account_id" text NOT NULL,
    "computer_id" text NOT NULL,
    "handle" text NOT NULL,
    "visibility" text NOT NULL,
    "link_key_hash" text,
    "published" boolean NOT NULL,
    "name" text,
    "description" text,
    "version" text,
    "skills" text NOT NULL,
    "updated_at" integer NOT NULL,
    "revision" integer NOT NULL,
    "active" boolean NOT NULL,
    CONSTRAINT "account_of_agent" FOREIGN KEY ("account_id") REFERENCES "accounts" ("id")
      ON DELETE NO ACTION ON UPDATE NO ACTION,
    CONSTRAINT "computer_of_agent" FOREIGN KEY ("computer_id") REFERENCES "computers" ("id")
      ON DELETE NO ACTION ON UPDATE NO ACTION
  )`,
  `CREATE TABLE "api_keys" (
    "key_hash" text PRIMARY KEY NOT NULL,
    "account_id" text NOT NULL,
    "active" boolean NOT NULL,
    CONSTRAINT "account_of_api_key" FOREIGN KEY ("account_id") REFERENCES "accounts" ("id")
      ON DELETE NO ACTION ON UPDATE NO ACTION
  )`,
];

/** Names, addresses and tokens are unique among what is active; what was deactivated keeps its own. */
const INDEXES = [
  `CREATE UNIQUE INDEX "accounts_username" ON "accounts" ("username") WHERE active`,
  `CREATE UNIQUE INDEX "computers_relay_token" ON "computers" ("relay_token_hash") WHERE active`,
  `CREATE UNIQUE INDEX "agents_address" ON "agents" ("account_id", "handle") WHERE active`,
  `CREATE INDEX "agents_computer" ON "agents" ("computer_id")`,
];

/** Accounts, computers, agents and API keys: whom one can call, and who computers and 0.3 clients are. */
export class Directory1764500000002 implements MigrationInterface {
  readonly name = 'Directory1764500000002';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...INDEXES]) await runner.query(statement);
  }

  /** Forward only (requirement K1): a step back is a restored backup. */
  async down(): Promise<void> {
    throw new Error('Migrations run forward only; restore a backup instead');
  }
}
