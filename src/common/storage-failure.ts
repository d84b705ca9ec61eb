import { QueryFailedError } from 'typeorm';

/** SQLite's words for "not now" and "not on this disk"; none of them is the fault of the statement. */
const STORAGE_CODES = new Set([
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
  'SQLITE_READONLY',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_CANTOPEN',
  'SQLITE_CORRUPT',
  'SQLITE_NOTADB',
  'SQLITE_NOMEM',
]);

/** Whether an error says that the database cannot be used, rather than that a statement was wrong. */
export function isStorageFailure(error: unknown): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  const code: unknown = (error.driverError as { code?: unknown }).code;
  return typeof code === 'string' && STORAGE_CODES.has(code);
}
