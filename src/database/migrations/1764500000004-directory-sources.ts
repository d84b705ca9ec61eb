import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['accounts', 'computers', 'agents', 'api_keys'];

/** What was there before came from the directory file, since nothing else could write it; its times are not known. */
const columnsOf = (table: string) => [
  `ALTER TABLE "${table}" ADD COLUMN "source" text NOT NULL DEFAULT ('file')`,
  `ALTER TABLE "${table}" ADD COLUMN "created_at" integer`,
  `ALTER TABLE "${table}" ADD COLUMN "deactivated_at" integer`,
];

/** Presence is written all the time and is no change of who may be called. */
const COMPUTER_COLUMNS = 'OF "account_id", "relay_token_hash", "active"';

const triggersOf = (table: string) => {
  const count = `BEGIN UPDATE "directory_changes" SET "total" = "total" + 1; END`;
  const columns = table === 'computers' ? COMPUTER_COLUMNS : '';
  return [
    `CREATE TRIGGER "${table}_added" AFTER INSERT ON "${table}" ${count}`,
    `CREATE TRIGGER "${table}_changed" AFTER UPDATE ${columns} ON "${table}" ${count}`,
    `CREATE TRIGGER "${table}_removed" AFTER DELETE ON "${table}" ${count}`,
  ];
};

/**
 * Where each entry of the directory comes from and since when, labels of API keys, and a count of changes by which every
 * process notices what another one wrote. Triggers count, so that no writer can forget it.
 */
export class DirectorySources1764500000004 implements MigrationInterface {
  readonly name = 'DirectorySources1764500000004';

  async up(runner: QueryRunner): Promise<void> {
    const statements = [
      ...TABLES.flatMap(columnsOf),
      `ALTER TABLE "api_keys" ADD COLUMN "label" text`,
      `CREATE TABLE "directory_changes" ("total" integer NOT NULL)`,
      `INSERT INTO "directory_changes" ("total") VALUES (0)`,
      ...TABLES.flatMap(triggersOf),
    ];
    for (const statement of statements) await runner.query(statement);
  }

  /** Forward only (requirement K1): a step back is a restored backup. */
  async down(): Promise<void> {
    throw new Error('Migrations run forward only; restore a backup instead');
  }
}
