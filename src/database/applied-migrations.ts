import type { DataSource } from 'typeorm';
import { MIGRATIONS } from './schema.js';

/** @returns the names of the migrations that a database has had, oldest first; none for one that is not of hello-api */
export async function appliedMigrations(source: DataSource): Promise<string[]> {
  const tables = await source.query<unknown[]>(
    `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'`,
  );
  if (tables.length === 0) return [];
  const rows = await source.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id');
  return rows.map((row) => row.name);
}

/** @throws Error when a newer version of this program has written the database (requirement K1) */
export function refuseNewerSchema(applied: readonly string[]): void {
  const known = new Set<string>(MIGRATIONS.map((migration) => migration.name));
  const strangers = applied.filter((name) => !known.has(name));
  if (strangers.length === 0) return;
  throw new Error(
    `it was written by a newer version (unknown migrations: ${strangers.join(', ')}); start that version, or restore a backup of this one`,
  );
}
