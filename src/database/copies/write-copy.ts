import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DataSource } from 'typeorm';
import { type StoreFacts, verifyStore } from './store-facts.js';

/**
 * Writes a copy of a store to a new file, checks it and flushes it to disk. The copy is what was committed when it
 * began, compact, without what was deleted; writers go on meanwhile (ADR 0009).
 * @param file private to the user from its first byte; nothing is left of it when this fails
 * @param signal breaks the copying off
 */
export async function writeCopy(source: DataSource, file: string, signal: AbortSignal): Promise<StoreFacts> {
  closeSync(openSync(file, 'wx', 0o600));
  const stop = () => interrupt(source);
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    await source.query('VACUUM INTO ?', [file]);
    signal.throwIfAborted();
    flush(file);
    return await verifyStore(file);
  } catch (error) {
    rmSync(file, { force: true });
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/**
 * Gives a finished file its name, in one step and only if nothing has that name.
 * @throws the file system's EEXIST otherwise; the file is then gone
 */
export function nameCopy(file: string, name: string): void {
  try {
    giveName(file, name);
    flush(dirname(resolve(name)));
  } finally {
    rmSync(file, { force: true });
  }
}

/** A second name for a file; where the file system has no such thing (a memory stick), the file is renamed. */
export function giveName(file: string, name: string): void {
  try {
    linkSync(file, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || existsSync(name)) throw error;
    renameSync(file, name);
  }
}

/** Puts a file, or the names in a folder, on disk. */
export function flush(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** The driver's own way to end a statement that runs; TypeORM has none. */
function interrupt(source: DataSource): void {
  const { databaseConnection } = source.driver as unknown as { databaseConnection?: { interrupt(): void } };
  databaseConnection?.interrupt();
}
