import { z } from 'zod';
import type { EntityManager, EntityTarget, FindOptionsWhere } from 'typeorm';
import { formProblems } from '../import/file-problems.js';
import type { DirectoryEntry } from '../store/directory-entry.js';
import { invalidField, refusedEntry } from './directory-admin.errors.js';

/**
 * @param values what was given, by the names under which problems are reported
 * @throws DirectoryAdminError naming every field that is wrong
 */
export function checked<S extends z.ZodRawShape>(shape: S, values: unknown): z.infer<z.ZodObject<S>> {
  const parsed = z.strictObject(shape).safeParse(values, { reportInput: true });
  if (!parsed.success) throw invalidField(formProblems(parsed.error).join('; '));
  return parsed.data;
}

/**
 * Commands change only what commands made: the next import would undo anything else.
 * @throws DirectoryAdminError for an entry of the directory file
 */
export function requireByCommand(row: DirectoryEntry, what: string): void {
  if (row.source === 'command') return;
  throw refusedEntry(
    row.active
      ? `${what} comes from the directory file; change it there and send SIGHUP to the service`
      : `${what} comes from the directory file, which names it no more; add it again by command`,
  );
}

/**
 * An id is free when no entry has it, or only one that the directory file has given up: that one becomes the command's.
 * @param remedy what to do about one that was disabled by command
 * @throws DirectoryAdminError otherwise
 */
export function requireFree(row: DirectoryEntry | null, what: string, remedy: string): void {
  if (row?.active) throw refusedEntry(`${what} exists already`);
  if (row?.source === 'command') throw refusedEntry(`${what} exists already and is disabled; ${remedy}`);
}

/** What a row made by command begins with, also when it takes the place of one that the file has given up. */
export function newEntry(row: DirectoryEntry | null, nowMs: number) {
  return {
    source: 'command' as const,
    active: true,
    createdAtMs: row === null ? nowMs : row.createdAtMs,
    deactivatedAtMs: null,
  };
}

/** Disabling what is disabled keeps the time at which that happened. */
export async function setActive<E extends DirectoryEntry>(
  manager: EntityManager,
  target: EntityTarget<E>,
  { row, where, nowMs }: { row: E; where: FindOptionsWhere<E>; nowMs: number | null },
): Promise<void> {
  if (row.active === (nowMs === null)) return;
  await manager
    .createQueryBuilder()
    .update<DirectoryEntry>(target)
    .set({ active: nowMs === null, deactivatedAtMs: nowMs })
    .where(where)
    .execute();
}

/** @returns the one view of an entry that is certainly there */
export function only<V>(views: V[]): V {
  const [view] = views;
  if (view === undefined || views.length > 1) throw new Error('The entry is not there once');
  return view;
}
