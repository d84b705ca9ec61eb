import { readFileSync } from 'node:fs';
import sqlite3 from 'sqlite3';
import type { CrashSite } from './crash-site.js';

export interface TaskRow {
  id: string;
  state: string;
  statusAtMs: number;
  revision: number;
  reply: string | null;
  statusText: string | null;
  /** The text of its message. */
  text: string;
}

export interface JobRow {
  id: string;
  state: string;
  revision: number;
  acknowledged: number;
  reply: string | null;
  statusText: string | null;
}

/** What both sides have on disk after they were stopped. */
export interface FilesOfRun {
  tasks: Map<string, TaskRow>;
  jobs: Map<string, JobRow>;
  /** How often each job left its mark. */
  executions: Map<string, number>;
  /** What the databases complain about. */
  damage: string[];
}

const TASKS = `SELECT tasks.id AS id, state, status_at AS statusAtMs, revision, reply, status_text AS statusText,
    json_extract(messages.body, '$.parts[0].text') AS text
  FROM tasks JOIN messages ON messages.task_id = tasks.id AND messages.position = 0`;
const JOBS = `SELECT job_id AS id, state, revision, acknowledged, reply, status_text AS statusText FROM jobs`;
const WRONG_TOTALS = `SELECT account_id, agent_id, state, COUNT(*) AS total FROM tasks
  WHERE state NOT IN ('submitted', 'working', 'input_required') GROUP BY 1, 2, 3
  EXCEPT SELECT account_id, agent_id, state, total FROM task_totals`;

export async function readFiles(site: CrashSite): Promise<FilesOfRun> {
  const tasks = await readDatabase<TaskRow>('API', site.apiFile, TASKS);
  const totals = await readDatabase<object>('API', site.apiFile, WRONG_TOTALS);
  const jobs = await readDatabase<JobRow>('daemon', site.daemonFile, JOBS);
  const executions = new Map<string, number>();
  for (const id of readFileSync(site.ranFile, 'utf8').split('\n').filter(Boolean)) {
    executions.set(id, (executions.get(id) ?? 0) + 1);
  }
  const wrong = totals.rows.map((row) => `a total of the API is wrong: ${JSON.stringify(row)}`);
  return {
    tasks: new Map(tasks.rows.map((row) => [row.id, row])),
    jobs: new Map(jobs.rows.map((row) => [row.id, row])),
    executions,
    damage: [...tasks.damage, ...jobs.damage, ...wrong],
  };
}

async function readDatabase<Row>(
  side: string,
  path: string,
  sql: string,
): Promise<{ rows: Row[]; damage: string[] }> {
  const database = await open(path);
  try {
    const integrity = await all<{ integrity_check: string }>(database, 'PRAGMA integrity_check');
    const orphans = await all<object>(database, 'PRAGMA foreign_key_check');
    const damage = integrity.map((row) => row.integrity_check).filter((line) => line !== 'ok');
    return {
      rows: await all<Row>(database, sql),
      damage: [...damage, ...orphans.map((row) => JSON.stringify(row))].map(
        (line) => `the ${side}'s database is damaged: ${line}`,
      ),
    };
  } finally {
    await new Promise((resolve) => database.close(resolve));
  }
}

function open(path: string): Promise<sqlite3.Database> {
  return new Promise((resolve, reject) => {
    const database = new sqlite3.Database(path, sqlite3.OPEN_READWRITE, (error) => {
      if (error) reject(error);
      else resolve(database);
    });
  });
}

function all<Row>(database: sqlite3.Database, sql: string): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    database.all<Row>(sql, (error: Error | null, rows: Row[]) => {
      if (error) reject(error);
      else resolve(rows);
    });
  });
}
