import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY_FILE = 0o600;

/**
 * Makes sure that the database file exists and that nobody but the process user can read it (requirement K1);
 * SQLite gives its side files the same rights. A folder that was there before and holds other things as well
 * (a home directory, `/tmp`) keeps its rights: they are not ours to change.
 * @throws the error of the file system
 */
export function preparePrivateFile(path: string): void {
  const folder = dirname(resolve(path));
  const isNew = !existsSync(folder);
  if (isNew) mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
  if (isNew || holdsOnly(folder, basename(path))) chmodSync(folder, OWNER_ONLY_FOLDER);
  closeSync(openSync(path, 'a', OWNER_ONLY_FILE));
  chmodSync(path, OWNER_ONLY_FILE);
}

function holdsOnly(folder: string, prefix: string): boolean {
  return readdirSync(folder).every((name) => name.startsWith(prefix));
}
