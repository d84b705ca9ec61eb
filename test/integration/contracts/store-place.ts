import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TypeOrmTaskStore, type TaskStore } from '../../../src/index.js';
import type { TaskStoreSubject } from '../../../src/testing/index.js';
import { openStoreFile } from '../../support/store-file.js';
import { type Change, changed } from './broken-port.js';

export interface OpenStore extends TaskStoreSubject {
  close: () => Promise<void>;
}

interface OpenOptions {
  change?: Change<TaskStore>;
  /** Whether commits wait for the disk; without, a store that is broken on purpose is quicker about it. */
  durable?: boolean;
}

/** Empty stores on real files; the tables are made once and then copied. */
export class StorePlace {
  readonly #folder = mkdtempSync(join(tmpdir(), 'hello-contracts-'));
  #made = 0;

  async prepare(): Promise<void> {
    await (await openStoreFile(this.#pathOf('empty'))).close();
  }

  async open({ change = () => ({}), durable = false }: OpenOptions = {}): Promise<OpenStore> {
    this.#made += 1;
    const path = this.#pathOf(String(this.#made));
    copyFileSync(this.#pathOf('empty'), path);
    const start = async () => {
      const file = await openStoreFile(path);
      if (!durable) await file.writer.query('PRAGMA synchronous = OFF');
      return { file, store: changed<TaskStore>(new TypeOrmTaskStore(file.reader, file.queue), change) };
    };
    let present = await start();
    return {
      store: present.store,
      reopen: async () => {
        await present.file.close();
        present = await start();
        return present.store;
      },
      close: () => present.file.close(),
    };
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #pathOf(name: string): string {
    return join(this.#folder, `${name}.sqlite`);
  }
}
