import { DataSource, type DataSourceOptions } from 'typeorm';
import { driver } from '../../ormconfig.js';
import { READER, WRITER, describeError } from '../common/index.js';
import { appliedMigrations, refuseNewerSchema } from './applied-migrations.js';
import { preparePrivateFile } from './private-file.js';
import { ENTITIES, MIGRATIONS } from './schema.js';
import { StoreLock } from './store-lock.js';

/** How long a statement waits for another process that holds the file, for example a backup. */
export const BUSY_TIMEOUT_MS = 5000;

/** Of a new database; one that is there keeps its own (ADR 0012). */
const PAGE_BYTES = 8192;
/** To what the write-ahead log shrinks when a long reader, such as a backup, has let it grow. */
const KEPT_LOG_BYTES = 64 * 1024 * 1024;
/** The log is written back when it has grown by so much: a page that changed often is written back once (ADR 0012). */
const CHECKPOINT_BYTES = 16 * 1024 * 1024;
/** Pages that the writer keeps in memory, at most; those that every send touches are read once. */
const CACHE_BYTES = 16 * 1024 * 1024;

/** The database cannot be opened or is not ours to open; the start-up ends with this message. */
export class DatabaseStartError extends Error {
  constructor(path: string, reason: string, options?: ErrorOptions) {
    super(`A2A_STORE_PATH: cannot use the database at ${path}: ${reason}`, options);
    this.name = 'DatabaseStartError';
  }
}

export interface OpenOptions {
  /** How long to wait for other processes; shorter in tests alone. */
  busyTimeoutMs?: number;
}

/** Shares the store's lock for as long as it is open (ADR 0008). */
class LockedDataSource extends DataSource {
  constructor(
    options: DataSourceOptions,
    private readonly lock: StoreLock,
  ) {
    super(options);
  }

  override async destroy(): Promise<void> {
    await super.destroy();
    await this.lock.release();
  }
}

/**
 * Opens the connection through which everything is written, and brings the schema up to date (requirement K1).
 * Several processes may do so at once: the others wait for the first one.
 * @throws DatabaseStartError naming A2A_STORE_PATH when the file cannot be used or was written by a newer version
 */
export async function openWriter(path: string, options: OpenOptions = {}): Promise<DataSource> {
  return await open(path, async () => {
    preparePrivateFile(path);
    const lock = await StoreLock.share(path, options.busyTimeoutMs ?? BUSY_TIMEOUT_MS);
    try {
      return await lock.inTurn(() => connectWriter(path, lock, options));
    } catch (error) {
      await lock.release();
      throw error;
    }
  });
}

async function connectWriter(path: string, lock: StoreLock, options: OpenOptions): Promise<DataSource> {
  const writer = await new LockedDataSource(optionsFor(path, WRITER, options), lock).initialize();
  try {
    await tune(writer);
    await migrate(writer);
    // What a statement may have to undo stays in memory; a group's would go through a temporary file. Only now, since what a
    // migration sorts may be large.
    await writer.query('PRAGMA temp_store = MEMORY');
    return writer;
  } catch (error) {
    await writer.destroy();
    throw error;
  }
}

/**
 * Opens the connection through which everything is read; it cannot write. The writer must have been opened before.
 * @throws DatabaseStartError as the writer does
 */
export async function openReader(path: string, options: OpenOptions = {}): Promise<DataSource> {
  return await open(path, async () => {
    const reader = await new DataSource(optionsFor(path, READER, options)).initialize();
    await reader.query('PRAGMA query_only = ON');
    return reader;
  });
}

async function open(path: string, attempt: () => Promise<DataSource>): Promise<DataSource> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof DatabaseStartError) throw error;
    throw new DatabaseStartError(path, describeError(error), { cause: error });
  }
}

function optionsFor(path: string, name: string, options: OpenOptions): DataSourceOptions {
  return {
    ...driver,
    name,
    database: path,
    entities: ENTITIES,
    migrations: MIGRATIONS,
    migrationsTransactionMode: 'all',
    busyTimeout: options.busyTimeoutMs ?? BUSY_TIMEOUT_MS,
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
  };
}

/** Page size counts only before the first table, and only outside of WAL; so it comes first. */
async function tune(writer: DataSource): Promise<void> {
  await writer.query(`PRAGMA page_size = ${PAGE_BYTES}`);
  const [mode] = await writer.query<{ journal_mode: string }[]>('PRAGMA journal_mode = WAL');
  if (mode?.journal_mode !== 'wal') throw new Error('the file system cannot keep a write-ahead log');
  await writer.query('PRAGMA synchronous = FULL');
  await writer.query(`PRAGMA journal_size_limit = ${KEPT_LOG_BYTES}`);
  await writer.query(`PRAGMA cache_size = ${-CACHE_BYTES / 1024}`);
  const [page] = await writer.query<{ page_size: number }[]>('PRAGMA page_size');
  await writer.query(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_BYTES / (page?.page_size ?? PAGE_BYTES)}`);
}

async function migrate(writer: DataSource): Promise<void> {
  refuseNewerSchema(await appliedMigrations(writer));
  await writer.runMigrations();
}

/** Whether the database can be read and has every migration; for readiness (requirement O2). */
export async function isCurrent(reader: DataSource): Promise<boolean> {
  const applied = new Set(await appliedMigrations(reader));
  return MIGRATIONS.every((migration) => applied.has(migration.name));
}
