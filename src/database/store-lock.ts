import { chmodSync, closeSync, openSync } from 'node:fs';
import { DataSource, QueryFailedError } from 'typeorm';
import { driver } from '../../ormconfig.js';

/** How long a start waits for another process that brings the schema up to date. */
const SCHEMA_WAIT_MS = 60_000;

/** Another process holds the store in a way that does not go together with what was asked for. */
export class StoreLockedError extends Error {
  override name = 'StoreLockedError';
}

/**
 * Who uses a store, across processes (ADR 0008). The lock is SQLite's own on an empty file beside the database: the
 * kernel gives it back however a process ends, and the file stays what it is when a restore puts another database in
 * place. Any number of processes share it; a restore claims it for itself alone.
 */
export class StoreLock {
  private constructor(
    private readonly path: string,
    private readonly held: DataSource,
  ) {}

  /**
   * For a process that reads or writes the store.
   * @param path of the database; its folder must be there
   * @param waitMs how long to wait for a restore that is under way
   * @throws StoreLockedError when it is under way for longer
   */
  static async share(path: string, waitMs: number): Promise<StoreLock> {
    // A transaction that has read holds the shared lock until it ends.
    const statements = ['BEGIN', 'SELECT 1 FROM sqlite_master'];
    const refusal = 'a restore of it is under way';
    return new StoreLock(path, await hold(path, { statements, waitMs, refusal }));
  }

  /**
   * For a process that replaces the store.
   * @throws StoreLockedError at once when any process shares the store
   */
  static async claim(path: string): Promise<StoreLock> {
    const refusal = 'the service, a backup or another restore uses it';
    return new StoreLock(path, await hold(path, { statements: ['BEGIN EXCLUSIVE'], waitMs: 0, refusal }));
  }

  /**
   * Runs work that only one of the sharing processes may do at a time; the others wait.
   * @throws StoreLockedError when they wait for longer than a minute
   */
  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = await hold(this.path, {
      statements: ['BEGIN IMMEDIATE'],
      waitMs: SCHEMA_WAIT_MS,
      refusal: 'another process has been bringing its schema up to date for a minute',
    });
    try {
      return await work();
    } finally {
      await turn.destroy();
    }
  }

  async release(): Promise<void> {
    if (this.held.isInitialized) await this.held.destroy();
  }
}

interface Hold {
  /** What takes the lock, on a connection that then keeps it. */
  statements: string[];
  waitMs: number;
  /** What to say when somebody else has it. */
  refusal: string;
}

async function hold(path: string, { statements, waitMs, refusal }: Hold): Promise<DataSource> {
  const file = `${path}-lock`;
  createPrivate(file);
  const connection = await new DataSource({ ...driver, database: file, busyTimeout: waitMs }).initialize();
  try {
    // Nothing is ever written, so that no journal is needed and none can be left behind.
    await connection.query('PRAGMA journal_mode = MEMORY');
    for (const statement of statements) await connection.query(statement);
    return connection;
  } catch (error) {
    await connection.destroy();
    throw isBusy(error) ? new StoreLockedError(refusal, { cause: error }) : error;
  }
}

/** A file that is there is never opened here: closing it would give back the locks of this process. */
function createPrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    chmodSync(file, 0o600);
  }
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof QueryFailedError && (error.driverError as { code?: unknown }).code === 'SQLITE_BUSY'
  );
}
