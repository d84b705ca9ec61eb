import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the open tasks whose time is over among those of all computers, to end them before they are deleted (requirement K2). */
export class Ends1764500000005 implements MigrationInterface {
  readonly name = 'Ends1764500000005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX "tasks_open_expiry" ON "tasks" ("expires_at")
       WHERE state IN ('submitted', 'working', 'input_required')`,
    );
  }

  /** Forward only (requirement K1): a step back is a restored backup. */
  async down(): Promise<void> {
    throw new Error('Migrations run forward only; restore a backup instead');
  }
}
