import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { describeError } from '../../common/index.js';
import { StoreLock } from '../store-lock.js';
import { StoreCopyError } from './store-copy.error.js';
import { type StoreFacts, openAsIs } from './store-facts.js';
import { nameCopy, writeCopy } from './write-copy.js';

/** How long to wait for a restore that is under way. */
const RESTORE_WAIT_MS = 5_000;

export interface Backup extends StoreFacts {
  bytes: number;
}

/**
 * Writes a copy of a store to a new file, also while the service runs (requirement K3). Every send that was answered before
 * this began is in it. The file has its name only once it is complete, checked and on disk, and is private to the user.
 * @param path of the store
 * @param file where the copy goes; nothing may be there
 * @throws StoreCopyError; then there is no such file
 */
export async function backUpStore(path: string, file: string, signal: AbortSignal): Promise<Backup> {
  if (existsSync(file)) throw new StoreCopyError(`${file} is there already; choose another name`);
  if (!existsSync(dirname(resolve(file)))) throw new StoreCopyError(`there is no folder for ${file}`);
  const unfinished = `${file}.${process.pid}.unfinished`;
  try {
    const facts = await copy(path, unfinished, signal);
    nameCopy(unfinished, file);
    return { ...facts, bytes: statSync(file).size };
  } catch (error) {
    if (signal.aborted) throw error;
    throw new StoreCopyError(`cannot copy ${path} to ${file}: ${describeError(error)}`, { cause: error });
  }
}

async function copy(path: string, file: string, signal: AbortSignal): Promise<StoreFacts> {
  const lock = await StoreLock.share(path, RESTORE_WAIT_MS);
  try {
    const source = await openAsIs(path, { readOnly: false });
    try {
      return await writeCopy(source, file, signal);
    } finally {
      await source.destroy();
    }
  } finally {
    await lock.release();
  }
}
