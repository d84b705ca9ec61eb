import { errorCode } from '../error-code.js';

/** The data folder cannot be used; the message says why, in words that follow the folder's name. */
export class JobDatabaseError extends Error {
  override name = 'JobDatabaseError';
}

/** What people can do something about. EEXIST and ENOTDIR come from making the folder, EISDIR from the file in it. */
const REASONS: Readonly<Record<string, string>> = {
  SQLITE_BUSY: 'another daemon is already running with it; stop that one, or choose another folder',
  SQLITE_NOTADB: 'its daemon.sqlite is no job database',
  SQLITE_CORRUPT: 'its daemon.sqlite is damaged',
  SQLITE_FULL: 'the disk is full',
  SQLITE_IOERR: 'its disk cannot be read or written',
  SQLITE_READONLY: 'it cannot be written to',
  SQLITE_CANTOPEN: 'its daemon.sqlite cannot be opened',
  ENOSPC: 'the disk is full',
  EEXIST: 'it is no folder',
  ENOTDIR: 'it is no folder',
  EACCES: 'it may not be written to',
  EPERM: 'it belongs to another user',
  EROFS: 'it cannot be written to',
};

/** @returns a fault of the system or of SQLite in words; any other error as it is */
export function databaseError(error: unknown, dataDir: string): unknown {
  const code = errorCode(error);
  if (error instanceof JobDatabaseError || code === undefined) return error;
  const reason = REASONS[code];
  return reason === undefined ? error : new JobDatabaseError(`${dataDir}: ${reason}`, { cause: error });
}
