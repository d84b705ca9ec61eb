import type { DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ComputerEntity, HelperEntity } from './directory/directory.entities.js';
import { LedgerEntry } from './ledger/ledger-entry.entity.js';
import { OrderEntity } from './orders/order.entity.js';

class CreateTables1790000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "helpers" ("id" text PRIMARY KEY, "team" text NOT NULL, "name" text NOT NULL,
      "computer" text NOT NULL, "updatedAtMs" integer NOT NULL, "revision" integer NOT NULL, UNIQUE ("team", "name"))`);
    await runner.query(`CREATE TABLE "computers" ("id" text PRIMARY KEY, "team" text NOT NULL,
      "relayTokenHash" text NOT NULL UNIQUE, "lastSeenAtMs" integer NOT NULL)`);
    await runner.query(`CREATE TABLE "orders" ("number" integer PRIMARY KEY AUTOINCREMENT, "accountId" text NOT NULL,
      "text" text NOT NULL, "state" text NOT NULL)`);
    await runner.query(`CREATE TABLE "ledger" ("taskId" text NOT NULL, "kind" text NOT NULL, "accountId" text NOT NULL,
      "state" text NOT NULL, "statusAtMs" integer NOT NULL, PRIMARY KEY ("taskId", "kind"))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['ledger', 'orders', 'computers', 'helpers']) {
      await runner.query(`DROP TABLE "${table}"`);
    }
  }
}

/** The shop's own database, as the default data source; those of hello-api have names. */
export function shopDatabase(file: string): DynamicModule {
  return TypeOrmModule.forRoot({
    type: 'sqlite',
    database: file,
    entities: [HelperEntity, ComputerEntity, OrderEntity, LedgerEntry],
    migrations: [CreateTables1790000000000],
    migrationsRun: true,
    // A condition that is not set must not match everything.
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
  });
}
