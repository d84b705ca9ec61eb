import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY_FILE = 0o600;
const STICKY = 0o1000;
/** How every SQLite database begins, unless it is still empty (SQLite file format, section 1.3). */
const MAGIC = Buffer.from('SQLite format 3\0', 'latin1');

/**
 * Makes sure that the database file exists and that nobody but the process user can read it (requirement K1);
 * SQLite gives its side files the same rights. A folder that was there before and holds other things as well
 * (a home directory, `/tmp`) keeps its rights, and so does a file that is no database: they are not ours to change.
 * @throws the error of the file system, or one that says that the path leads to something else than a database
 */
export function preparePrivateFile(path: string): void {
  requireDatabase(path);
  preparePrivateFolder(path);
  closeSync(openSync(path, 'a', OWNER_ONLY_FILE));
  chmodSync(path, OWNER_ONLY_FILE);
}

/**
 * Makes the folder of a database, private, and makes one private that holds nothing but the database. A folder with the sticky bit
 * is meant for several users, however empty it is, and keeps its rights.
 */
export function preparePrivateFolder(path: string): void {
  const folder = dirname(resolve(path));
  const isNew = makeFolder(folder);
  const isShared = !isNew && (statSync(folder).mode & STICKY) !== 0;
  if (!isShared && (isNew || holdsOnly(folder, basename(path)))) chmodSync(folder, OWNER_ONLY_FOLDER);
}

/**
 * One level at a time: Node's own recursion never ends where a folder that is there answers ENOENT, as in /proc.
 * @returns whether the folder had to be made
 */
function makeFolder(folder: string): boolean {
  if (existsSync(folder)) return false;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: OWNER_ONLY_FOLDER });
  } catch (error) {
    // Another process that starts at the same moment has made it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return true;
}

/** @throws Error when something else than an SQLite database, or a file that may become one, is at the path */
export function requireDatabase(path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (!stat.isFile()) throw new Error('it is not a regular file');
  if (stat.size > 0 && !startOf(path).equals(MAGIC)) throw new Error('it is not an SQLite database');
}

function startOf(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(MAGIC.length);
    readSync(file, bytes, 0, bytes.length, 0);
    return bytes;
  } finally {
    closeSync(file);
  }
}

function holdsOnly(folder: string, prefix: string): boolean {
  return readdirSync(folder).every((name) => name.startsWith(prefix));
}
