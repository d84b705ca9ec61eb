import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { READER, WriteQueue } from '../../common/index.js';
import { firstOf } from './task-row.js';

interface KeyRow {
  value: string;
}

/** Keys with which the service signs what it will be shown again; made on first use, kept in the database. */
@Injectable()
export class SigningKeys {
  readonly #keys = new Map<string, Promise<Buffer>>();

  constructor(
    @InjectDataSource(READER) private readonly reader: DataSource,
    private readonly writes: WriteQueue,
  ) {}

  /** @returns 32 bytes, the same ones for a name as long as the database lives */
  get(name: string): Promise<Buffer> {
    let key = this.#keys.get(name);
    if (!key) {
      key = this.#load(name);
      this.#keys.set(name, key);
      // A failed attempt is not remembered: the database may be back the next time.
      key.catch(() => this.#keys.delete(name));
    }
    return key;
  }

  /** Several processes may ask at once for the first time; the first one's key stands. */
  async #load(name: string): Promise<Buffer> {
    const sql = 'SELECT value FROM signing_keys WHERE name = ?';
    const [kept] = await this.reader.query<KeyRow[]>(sql, [name]);
    const row = kept ?? (await this.#make(name));
    return Buffer.from(row.value, 'base64url');
  }

  async #make(name: string): Promise<KeyRow> {
    const fresh = randomBytes(32).toString('base64url');
    const row = await this.writes.write((manager) =>
      firstOf<KeyRow>(
        manager,
        `INSERT INTO signing_keys (name, value) VALUES (?, ?)
         ON CONFLICT (name) DO UPDATE SET value = value RETURNING value`,
        [name, fresh],
      ),
    );
    if (!row) throw new Error('The database did not return the signing key');
    return row;
  }
}
