/** One entry a version; `PRAGMA user_version` counts how many were applied. Forward only: entries never change. */
export const SCHEMA_STEPS: readonly (readonly string[])[] = [
  [
    `CREATE TABLE jobs (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      job_id TEXT NOT NULL UNIQUE,
      fingerprint TEXT NOT NULL,
      order_json TEXT NOT NULL,
      state TEXT NOT NULL,
      revision INTEGER NOT NULL,
      acknowledged INTEGER NOT NULL,
      in_line INTEGER NOT NULL,
      reply TEXT,
      reply_truncated INTEGER NOT NULL DEFAULT 0,
      status_text TEXT,
      checkpoint TEXT,
      input TEXT,
      input_message_id TEXT,
      deltas INTEGER NOT NULL DEFAULT 0,
      updated_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL
    )`,
    `CREATE INDEX jobs_in_line ON jobs (seq) WHERE in_line = 1`,
    `CREATE INDEX jobs_unacknowledged ON jobs (seq) WHERE revision > acknowledged`,
    `CREATE INDEX jobs_expiry ON jobs (expires_at)`,
    `CREATE TABLE turns (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      agent TEXT NOT NULL,
      account_id TEXT NOT NULL,
      context_id TEXT NOT NULL,
      role TEXT NOT NULL,
      content TEXT NOT NULL,
      expires_at INTEGER NOT NULL
    )`,
    `CREATE INDEX turns_conversation ON turns (agent, account_id, context_id, id)`,
    `CREATE INDEX turns_expiry ON turns (expires_at)`,
    `CREATE TABLE workspaces (name TEXT PRIMARY KEY, expires_at INTEGER NOT NULL)`,
  ],
];
