import { LRUCache } from 'lru-cache';
import sqlite3 from 'sqlite3';

/** Statements that one connection keeps prepared; the hot paths have a few dozen. */
const MAX_KEPT = 200;

type Callback = (this: sqlite3.RunResult, error: Error | null, rows?: unknown[]) => void;

/**
 * A connection that prepares each statement once: preparing costs about as much as running, and a hop to another
 * thread of its own. Only `all` does so, which TypeORM calls with values and a callback; `run` takes one step of a
 * statement, and one that is kept would then stand open if it had rows.
 */
class PreparedDatabase extends sqlite3.Database {
  readonly #kept = new LRUCache<string, sqlite3.Statement>({
    max: MAX_KEPT,
    // Waits for the calls of the statement that are under way.
    dispose: (statement) => statement.finalize(),
  });

  override all(sql: string, ...call: unknown[]): this {
    this.#statement(sql, call).all(...call);
    return this;
  }

  override close(callback?: (error: Error | null) => void): void {
    this.#kept.clear();
    super.close(callback);
  }

  /** Kept only once it is known to be prepared: of a statement that cannot be, sqlite3 drops the calls that wait. */
  #statement(sql: string, call: unknown[]): sqlite3.Statement {
    const kept = this.#kept.get(sql);
    if (kept) return kept;
    const callback = call.at(-1) as Callback;
    const statement: sqlite3.Statement = this.prepare(sql, (error: Error | null) => {
      if (error) callback.call(statement as sqlite3.RunResult, error);
      else this.#kept.set(sql, statement);
    });
    return statement;
  }
}

/**
 * What TypeORM takes for the module `sqlite3`. TypeORM asks it to be verbose, which would make sqlite3 note a stack
 * and print all values, texts of messages among them, for every single call.
 */
export const preparedSqlite = {
  ...sqlite3,
  Database: PreparedDatabase,
  verbose: () => preparedSqlite,
};
