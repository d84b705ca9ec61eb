import type { SqliteFile, Statements } from './sqlite-file.js';

/** Work on the database that is committed as a whole. It awaits nothing but its statements, and may run twice. */
export type Unit<T> = (statements: Statements) => Promise<T>;

interface Entry {
  unit: Unit<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

const GROUP_LIMIT = 100;

/**
 * The one way to the job database. Units run one after another in the order of their calls, so that a question
 * sees every job that was submitted before it. What arrives while one commit is on its way shares the next one:
 * with `synchronous=FULL` the commit is what costs.
 */
export class UnitQueue {
  private waiting: Entry[] = [];
  private working: Promise<void> | undefined;
  private closed = false;

  constructor(private readonly file: SqliteFile) {}

  /** Settles after the commit; when it rejects, nothing of the unit was kept. */
  run<T>(unit: Unit<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.closed) {
        reject(new Error('the job database is closed'));
        return;
      }
      this.waiting.push({ unit, resolve: (value) => resolve(value as T), reject });
      this.working ??= this.work();
    });
  }

  /** Finishes what was asked for, then closes the file. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.working;
    await this.file.close();
  }

  private async work(): Promise<void> {
    while (this.waiting.length > 0) await this.commit(this.waiting.splice(0, GROUP_LIMIT));
    this.working = undefined;
  }

  private async commit(group: Entry[]): Promise<void> {
    const settle: (() => void)[] = [];
    try {
      await this.file.run('BEGIN IMMEDIATE');
      for (const entry of group) settle.push(await this.runOne(entry, group.length > 1));
      if (!this.file.isInPlace)
        throw new Error('the job database was deleted or replaced; start the daemon again');
      await this.file.run('COMMIT');
    } catch (error) {
      await this.file.run('ROLLBACK').catch(() => undefined);
      // One bad unit must not take the others with it: each gets a transaction of its own.
      if (group.length > 1) for (const entry of group) await this.commit([entry]);
      else group[0]?.reject(error);
      return;
    }
    for (const each of settle) each();
  }

  private async runOne(entry: Entry, shared: boolean): Promise<() => void> {
    if (!shared) {
      const value = await entry.unit(this.file);
      return () => entry.resolve(value);
    }
    await this.file.run('SAVEPOINT unit');
    try {
      const value = await entry.unit(this.file);
      await this.file.run('RELEASE unit');
      return () => entry.resolve(value);
    } catch (error) {
      // SQLite may have ended the whole transaction (disk full): then this throws as well and the group is repeated.
      await this.file.run('ROLLBACK TO unit');
      await this.file.run('RELEASE unit');
      return () => entry.reject(error);
    }
  }
}
