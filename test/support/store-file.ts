import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteWriteQueue, openReader, openWriter, type OpenOptions } from '../../src/database/index.js';

/** A new folder of its own for a database; removed at the end of the test file. */
export function storeFolder(): { path: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'hello-store-'));
  return {
    path: join(folder, 'a2a.sqlite'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Both connections and the queue on a real file, as the database module makes them. */
export async function openStoreFile(path: string, options: OpenOptions = {}) {
  const writer = await openWriter(path, options);
  const reader = await openReader(path, options);
  const queue = new SqliteWriteQueue(writer);
  const close = async () => {
    await queue.drain();
    await Promise.all([reader.destroy(), writer.destroy()]);
  };
  return { writer, reader, queue, close };
}
