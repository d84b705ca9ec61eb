import { open } from 'node:fs/promises';
import { describeError } from '../../common/index.js';
import { DirectoryFileError } from './directory-file.errors.js';

/** Some 20,000 agents; far more is a wrong file, and would be read into memory whole. */
export const MAX_FILE_BYTES = 8 * 1024 * 1024;

/**
 * @returns the text of a UTF-8 file
 * @throws DirectoryFileError when it cannot be read, is no regular file, is too large or is not UTF-8
 */
export async function readBoundedFile(path: string): Promise<string> {
  const bytes = await readBytes(path).catch((error: unknown) => {
    throw new DirectoryFileError([`the file: ${describeError(error)}`]);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new DirectoryFileError(['the file: is not UTF-8 text']);
  }
}

async function readBytes(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new Error('is not a regular file');
    if (stat.size > MAX_FILE_BYTES) throw new Error(`is over ${MAX_FILE_BYTES} bytes`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}
