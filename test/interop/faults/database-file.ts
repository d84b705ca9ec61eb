import sqlite3 from 'sqlite3';

/** Asks a database file, which another process may have open. */
export async function query<Row>(path: string, sql: string): Promise<Row[]> {
  const database = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened = new sqlite3.Database(path, sqlite3.OPEN_READWRITE, (error) =>
      error ? reject(error) : resolve(opened),
    );
  });
  try {
    return await new Promise<Row[]>((resolve, reject) => {
      database.all<Row>(sql, (error, rows) => (error ? reject(error) : resolve(rows)));
    });
  } finally {
    await new Promise((resolve) => database.close(resolve));
  }
}

/** What is wrong with a database of the API: broken pages, rows without their task, totals that do not add up. */
export async function damageOf(path: string): Promise<object[]> {
  const integrity = await query<{ integrity_check: string }>(path, 'PRAGMA integrity_check');
  const orphans = await query<object>(path, 'PRAGMA foreign_key_check');
  const silent = await query<object>(
    path,
    'SELECT id FROM tasks WHERE id NOT IN (SELECT task_id FROM messages)',
  );
  const totals = await query<object>(
    path,
    `SELECT account_id, agent_id, state, COUNT(*) AS total FROM tasks
     WHERE state NOT IN ('submitted', 'working', 'input_required') GROUP BY 1, 2, 3
     EXCEPT SELECT account_id, agent_id, state, total FROM task_totals`,
  );
  return [...integrity.filter((row) => row.integrity_check !== 'ok'), ...orphans, ...silent, ...totals];
}
