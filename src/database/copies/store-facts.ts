import { DataSource } from 'typeorm';
import { driver } from '../../../ormconfig.js';
import { appliedMigrations, refuseNewerSchema } from '../applied-migrations.js';
import { requireDatabase } from '../private-file.js';

/** SQLite's `SQLITE_OPEN_READONLY`. */
const READ_ONLY = 1;
const BUSY_TIMEOUT_MS = 5_000;
const COUNTED = ['accounts', 'computers', 'agents', 'tasks', 'messages'] as const;

/** Tables of the directory whose rows say when they were made and deactivated. */
const DATED = ['accounts', 'computers', 'agents', 'api_keys'];

/** What a store holds, in numbers. */
export interface StoreFacts {
  /** Names of its migrations, oldest first. */
  schema: string[];
  counts: Record<(typeof COUNTED)[number], number>;
  /** Changes of the directory so far: accounts, computers, agents, keys. */
  directoryChanges: number;
  /** When a task or the directory last changed; absent in a store that is empty. Milliseconds since the epoch. */
  newestAtMs?: number;
}

/** Opens a database file as it is: nothing is created, tuned or migrated. The caller destroys the connection. */
export async function openAsIs(path: string, options: { readOnly: boolean }): Promise<DataSource> {
  requireDatabase(path);
  const flags = options.readOnly ? { flags: READ_ONLY } : {};
  return await new DataSource({
    ...driver,
    ...flags,
    database: path,
    busyTimeout: BUSY_TIMEOUT_MS,
  }).initialize();
}

/**
 * Reads a whole file and judges it.
 * @throws Error when it is damaged, no store of hello-api, or one of a newer version
 */
export async function verifyStore(path: string): Promise<StoreFacts> {
  const store = await openAsIs(path, { readOnly: true });
  try {
    const facts = await readFacts(store);
    refuseNewerSchema(facts.schema);
    const [page] = await store.query<{ integrity_check: string }[]>('PRAGMA integrity_check(1)');
    if (page?.integrity_check !== 'ok') throw new Error(`it is damaged: ${page?.integrity_check}`);
    const orphans = await store.query<unknown[]>('PRAGMA foreign_key_check');
    if (orphans.length > 0) throw new Error(`it is damaged: ${orphans.length} rows belong to nothing`);
    return facts;
  } finally {
    await store.destroy();
  }
}

/** @throws Error when the database is no store of hello-api */
export async function readFacts(store: DataSource): Promise<StoreFacts> {
  const schema = await appliedMigrations(store);
  if (schema.length === 0) throw new Error('it is not a database of hello-api');
  const tables = await store.query<{ name: string }[]>(`SELECT name FROM sqlite_master WHERE type = 'table'`);
  const present = new Set(tables.map(({ name }) => name));
  const number = async (table: string, expression: string) => {
    if (!present.has(table)) return undefined;
    const [row] = await store.query<{ value: number | null }[]>(
      `SELECT ${expression} AS value FROM ${table}`,
    );
    return row?.value ?? undefined;
  };
  const counts = { accounts: 0, computers: 0, agents: 0, tasks: 0, messages: 0 };
  for (const table of COUNTED) counts[table] = (await number(table, 'COUNT(*)')) ?? 0;
  const directoryChanges = await number('directory_changes', 'total');
  const changes = [await number('tasks', 'MAX(status_at)'), await number('agents', 'MAX(updated_at)')];
  // Stores of before they were counted do not say when other entries changed.
  for (const table of directoryChanges === undefined ? [] : DATED) {
    changes.push(await number(table, 'MAX(MAX(created_at, COALESCE(deactivated_at, 0)))'));
  }
  const known = changes.filter((change) => change !== undefined);
  return {
    schema,
    counts,
    directoryChanges: directoryChanges ?? 0,
    ...(known.length > 0 && { newestAtMs: Math.max(...known) }),
  };
}
