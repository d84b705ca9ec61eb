import { chmod, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../error-code.js';
import { JobDatabaseError, databaseError } from './job-database-error.js';
import { SCHEMA_STEPS } from './job-schema.js';
import { SqliteFile } from './sqlite-file.js';
import { UnitQueue } from './unit-queue.js';

const FILE_NAME = 'daemon.sqlite';

/**
 * Opens the job database of a data folder and holds it for this process alone. Folder and file are private to the
 * user. The hold is SQLite's own file lock: it ends with the process, however that ends.
 * @throws JobDatabaseError
 */
export async function openJobDatabase(dataDir: string): Promise<UnitQueue> {
  try {
    return await openFile(dataDir);
  } catch (error) {
    throw databaseError(error, dataDir);
  }
}

async function openFile(dataDir: string): Promise<UnitQueue> {
  const path = join(dataDir, FILE_NAME);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await chmod(dataDir, 0o700);
  await createPrivate(path);
  const file = await SqliteFile.open(path);
  try {
    await hold(file);
    await migrate(file, dataDir);
    return new UnitQueue(file);
  } catch (error) {
    await file.close().catch(() => undefined);
    throw error;
  }
}

/** A file that exists is never opened here: closing it would drop the locks this process may hold on it. */
async function createPrivate(path: string): Promise<void> {
  try {
    await (await open(path, 'wx', 0o600)).close();
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    await chmod(path, 0o600);
  }
}

async function hold(file: SqliteFile): Promise<void> {
  await file.run('PRAGMA locking_mode = EXCLUSIVE');
  await file.run('PRAGMA journal_mode = WAL');
  await file.run('PRAGMA synchronous = FULL');
  // The lock is taken with the first write transaction and then never given back.
  await file.run('BEGIN IMMEDIATE');
  await file.run('COMMIT');
}

async function migrate(file: SqliteFile, dataDir: string): Promise<void> {
  const [row] = await file.all<{ user_version: number }>('PRAGMA user_version');
  const version = row?.user_version ?? 0;
  if (version > SCHEMA_STEPS.length) {
    throw new JobDatabaseError(`${dataDir}: its jobs were written by a newer version of this program`);
  }
  for (const [index, statements] of SCHEMA_STEPS.entries()) {
    if (index < version) continue;
    await file.run('BEGIN IMMEDIATE');
    for (const statement of statements) await file.run(statement);
    await file.run(`PRAGMA user_version = ${index + 1}`);
    await file.run('COMMIT');
  }
}
