import { statSync, type Stats } from 'node:fs';
import sqlite3 from 'sqlite3';

export type SqlValue = string | number | null;

/** What a unit of work may do with the database. */
export interface Statements {
  /** @returns the number of rows that were changed */
  run(sql: string, values?: SqlValue[]): Promise<number>;
  all<T>(sql: string, values?: SqlValue[]): Promise<T[]>;
}

/** One SQLite file behind promises. */
export class SqliteFile implements Statements {
  private readonly identity: Stats;

  private constructor(
    private readonly database: sqlite3.Database,
    private readonly path: string,
  ) {
    this.identity = statSync(path);
  }

  /**
   * Whether the path still leads to the file that is open. SQLite goes on writing to a deleted one without a word,
   * and all of that is gone with the process. Synchronous, since it costs less than a turn of the thread pool.
   */
  get isInPlace(): boolean {
    const found = statSync(this.path, { throwIfNoEntry: false });
    return found?.ino === this.identity.ino && found.dev === this.identity.dev;
  }

  static async open(path: string): Promise<SqliteFile> {
    const database = await new Promise<sqlite3.Database>((resolve, reject) => {
      const opened = new sqlite3.Database(path, sqlite3.OPEN_READWRITE, (error) => {
        if (error) reject(error);
        else resolve(opened);
      });
    });
    return new SqliteFile(database, path);
  }

  run(sql: string, values: SqlValue[] = []): Promise<number> {
    return new Promise((resolve, reject) => {
      this.database.run(sql, values, function (error: Error | null) {
        if (error) reject(error);
        else resolve(this.changes);
      });
    });
  }

  all<T>(sql: string, values: SqlValue[] = []): Promise<T[]> {
    return new Promise((resolve, reject) => {
      this.database.all<T>(sql, values, (error, rows) => {
        if (error) reject(error);
        else resolve(rows);
      });
    });
  }

  close(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.database.close((error) => (error ? reject(error) : resolve()));
    });
  }
}
