import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { describeError } from '../../common/index.js';
import { preparePrivateFolder } from '../private-file.js';
import { StoreLock } from '../store-lock.js';
import { StoreCopyError } from './store-copy.error.js';
import { type StoreFacts, openAsIs, readFacts, verifyStore } from './store-facts.js';
import { flush, giveName, writeCopy } from './write-copy.js';

export interface RestoreRequest {
  /** Of the store. */
  path: string;
  /** The backup; it is only read. */
  file: string;
  /** Whether a store that holds newer things than the backup may be replaced. */
  replaceNewer: boolean;
  nowMs: number;
  signal: AbortSignal;
}

export interface Restored extends StoreFacts {
  /** Where the replaced store is; absent when there was none. */
  keptAs?: string;
}

/**
 * Puts a backup in the place of the store (requirement K3). The backup is checked before anything is touched, and what was there
 * is kept under another name beside it.
 * @throws StoreCopyError when the backup is unusable, any process uses the store, or the store is newer; then all is as before
 */
export async function restoreStore(request: RestoreRequest): Promise<Restored> {
  const { path, file, signal } = request;
  if (existsSync(path) && resolve(path) === resolve(file))
    throw new StoreCopyError(`${file} is the store itself`);
  const backup = await verifyBackup(file);
  try {
    preparePrivateFolder(path);
    const lock = await StoreLock.claim(path);
    try {
      return await replace(request, backup);
    } finally {
      await lock.release();
    }
  } catch (error) {
    if (signal.aborted || error instanceof StoreCopyError) throw error;
    throw new StoreCopyError(`A2A_STORE_PATH: cannot restore to ${path}: ${describeError(error)}`, {
      cause: error,
    });
  }
}

async function verifyBackup(file: string): Promise<StoreFacts> {
  if (!existsSync(file)) throw new StoreCopyError(`there is no file ${file}`);
  try {
    return await verifyStore(file);
  } catch (error) {
    throw new StoreCopyError(`cannot restore ${file}: ${describeError(error)}`, { cause: error });
  }
}

async function replace(request: RestoreRequest, backup: StoreFacts): Promise<Restored> {
  const { path, file, signal } = request;
  const hasStore = existsSync(path) && statSync(path).size > 0;
  if (hasStore) await refuseNewerStore(request, backup);
  const unfinished = `${path}-restoring`;
  // Left by a restore that was killed; the claim says that there is no other one.
  rmSync(unfinished, { force: true });
  const source = await openAsIs(file, { readOnly: true });
  try {
    const facts = await writeCopy(source, unfinished, signal);
    const keptAs = hasStore ? putAside(path, request.nowMs) : undefined;
    for (const suffix of ['-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true });
    renameSync(unfinished, path);
    flush(dirname(resolve(path)));
    return { ...facts, ...(keptAs !== undefined && { keptAs }) };
  } finally {
    await source.destroy();
  }
}

/** A store that cannot be read may be newer as well: whoever knows that it is not says so. */
async function refuseNewerStore({ path, replaceNewer }: RestoreRequest, backup: StoreFacts): Promise<void> {
  const problem = await settle(path).then(
    (store) => newerThan(store, backup),
    (error: unknown) => `cannot be compared with the backup (${describeError(error)})`,
  );
  if (problem === undefined || replaceNewer) return;
  throw new StoreCopyError(
    `A2A_STORE_PATH: the store at ${path} ${problem}; --replace-newer keeps it under another name and restores all the same`,
  );
}

/** Merges what is still in the write-ahead log, so that the store is one file. */
async function settle(path: string): Promise<StoreFacts> {
  const store = await openAsIs(path, { readOnly: false });
  try {
    await store.query('PRAGMA wal_checkpoint(TRUNCATE)');
    return await readFacts(store);
  } finally {
    await store.destroy();
  }
}

function newerThan(store: StoreFacts, backup: StoreFacts): string | undefined {
  if (store.schema.some((name) => !backup.schema.includes(name))) return 'has a newer schema than the backup';
  if (store.directoryChanges > backup.directoryChanges)
    return 'has later changes of its directory than the backup';
  const [newest, copied] = [store.newestAtMs ?? 0, backup.newestAtMs ?? 0];
  if (newest <= copied) return undefined;
  return `has changes of ${isoTime(newest)}, the backup ends at ${isoTime(copied)}`;
}

/**
 * Gives a store another name; until the restored one takes its place it has both. Its side files exist only where it could
 * not be settled; they go with it, for they may hold its last changes.
 */
function putAside(path: string, nowMs: number): string {
  const keptAs = `${path}.replaced-${isoTime(nowMs).replaceAll(/[-:.]/g, '')}`;
  if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${keptAs}-wal`);
  giveName(path, keptAs);
  return keptAs;
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
