import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';
import { AccountEntity } from '../store/account.entity.js';
import { AgentEntity } from '../store/agent.entity.js';
import { ApiKeyEntity } from '../store/api-key.entity.js';
import { ComputerEntity } from '../store/computer.entity.js';
import type { DirectoryEntry } from '../store/directory-entry.js';
import { commandConflicts, type DirectoryRows } from './command-conflicts.js';
import { DirectoryFileError } from './directory-file.errors.js';
import type { AgentContent, DirectoryContent } from './parse-directory-file.js';

/** Bounds the text that one statement takes. */
const ROWS_PER_STATEMENT = 500;

/** How many entries of all kinds were written and how many deactivated. */
export interface ImportSummary {
  changed: number;
  deactivated: number;
}

interface Change<T> {
  target: EntityTarget<ObjectLiteral>;
  key: string;
  changed: T[];
  /** Keys of the rows that are written anew. */
  rewritten: string[];
  removed: string[];
}

/**
 * Makes the database say what the file says; for one unit of the write queue. Only rows that differ are
 * written, so that `revision` and `updatedAtMs` of an agent rise only when something of it changed. Entries made by
 * command stay as they are.
 * @throws DirectoryFileError when the file names what an active entry made by command has; the unit is undone then
 */
export async function applyDirectory(
  manager: EntityManager,
  content: DirectoryContent,
  nowMs: number,
): Promise<ImportSummary> {
  const rows = await loadRows(manager);
  const conflicts = commandConflicts(rows, content);
  if (conflicts.length > 0) throw new DirectoryFileError(conflicts);
  const renamed = renamedAccounts(rows.accounts, content);
  const changes: Change<object>[] = [
    changesOf(AccountEntity, 'id', { rows: rows.accounts, wanted: content.accounts, nowMs }),
    changesOf(ComputerEntity, 'id', { rows: rows.computers, wanted: content.computers, nowMs }),
    agentChanges(rows.agents, content.agents, { renamed, nowMs }),
    changesOf(ApiKeyEntity, 'keyHash', { rows: rows.apiKeys, wanted: content.apiKeys, nowMs }),
  ];
  // First everything that changes gives up its name and token, so that two entries can swap theirs.
  for (const change of changes) await deactivate(manager, change, nowMs);
  for (const change of changes) await write(manager, change);
  await touchCommandAgents(manager, [...renamed], nowMs);
  return {
    changed: changes.reduce((sum, { changed }) => sum + changed.length, 0),
    deactivated: changes.reduce((sum, { removed }) => sum + removed.length, 0),
  };
}

async function loadRows(manager: EntityManager): Promise<DirectoryRows> {
  return {
    accounts: await manager.find(AccountEntity),
    computers: await manager.find(ComputerEntity),
    agents: await manager.find(AgentEntity),
    apiKeys: await manager.find(ApiKeyEntity),
  };
}

/** The address of an agent holds the username, so a new one changes every agent of the account. */
function renamedAccounts(accounts: AccountEntity[], content: DirectoryContent): Set<string> {
  const usernames = new Map(accounts.map((account) => [account.id, account.username]));
  return new Set(
    content.accounts.filter(({ id, username }) => usernames.get(id) !== username).map(({ id }) => id),
  );
}

interface Comparison<R, T> {
  rows: R[];
  wanted: T[];
  nowMs: number;
}

function changesOf<R extends DirectoryEntry, T extends object>(
  target: EntityTarget<R>,
  key: keyof R & keyof T & string,
  { rows, wanted, nowMs }: Comparison<R, T>,
): Change<T & Omit<DirectoryEntry, 'active'>> {
  const keyOf = (entry: R | T) => String((entry as Record<string, unknown>)[key]);
  const stored = new Map(rows.map((row) => [keyOf(row), row]));
  const named = new Set(wanted.map(keyOf));
  const createdAt = (row: R | undefined) => (row === undefined ? nowMs : row.createdAtMs);
  const differing = wanted.filter((entry) => differs(stored.get(keyOf(entry)), entry));
  return {
    target,
    key,
    changed: differing.map((entry) => ({
      ...entry,
      source: 'file',
      createdAtMs: createdAt(stored.get(keyOf(entry))),
      deactivatedAtMs: null,
      active: true,
    })),
    rewritten: differing.map(keyOf).filter((entryKey) => stored.has(entryKey)),
    removed: rows.filter((row) => row.active && row.source === 'file' && !named.has(keyOf(row))).map(keyOf),
  };
}

function agentChanges(
  rows: AgentEntity[],
  wanted: AgentContent[],
  { renamed, nowMs }: { renamed: ReadonlySet<string>; nowMs: number },
): Change<object> {
  const revisions = new Map(rows.map((row) => [row.id, row.revision]));
  const moved = new Set(rows.filter((row) => renamed.has(row.accountId)).map((row) => row.id));
  const { changed, ...change } = changesOf(AgentEntity, 'id', {
    // No handle is empty, so that one whose account was renamed counts as different.
    rows: rows.map((row) => (moved.has(row.id) ? { ...row, handle: '' } : row)),
    wanted,
    nowMs,
  });
  return {
    ...change,
    changed: changed.map((agent) => ({
      ...agent,
      updatedAtMs: nowMs,
      revision: (revisions.get(agent.id) ?? 0) + 1,
    })),
  };
}

/** Compares the members that the file decides; others (presence, revision) belong to the row alone. */
function differs(row: { active: boolean } | undefined, entry: object): boolean {
  if (row === undefined || !row.active) return true;
  return Object.entries(entry).some(
    ([member, value]) => JSON.stringify((row as Record<string, unknown>)[member]) !== JSON.stringify(value),
  );
}

async function deactivate(manager: EntityManager, change: Change<object>, nowMs: number): Promise<void> {
  const { tableName, primaryColumns } = manager.connection.getMetadata(change.target);
  const [key] = primaryColumns;
  await manager.query(
    `UPDATE "${tableName}" SET active = 0, deactivated_at = ?
     WHERE "${key?.databaseName}" IN (SELECT value FROM json_each(?))`,
    [nowMs, JSON.stringify([...change.removed, ...change.rewritten])],
  );
}

/** As JSON: a statement with a parameter for each value of thousands of rows costs many times its size in memory. */
async function write(manager: EntityManager, { target, key, changed }: Change<object>): Promise<void> {
  const { tableName, columns } = manager.connection.getMetadata(target);
  const { driver } = manager.connection;
  const written = columns.filter(({ propertyName }) => changed[0] && propertyName in changed[0]);
  const names = written.map(({ databaseName }) => `"${databaseName}"`);
  const sql = `INSERT INTO "${tableName}" (${names.join(', ')})
    SELECT ${names.map((_, place) => `value ->> ${place}`).join(', ')} FROM json_each(?) WHERE true
    ON CONFLICT ("${columns.find(({ propertyName }) => propertyName === key)?.databaseName}")
    DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`;
  for (const rows of chunks(changed)) {
    const values = rows.map((row) =>
      written.map((column) => driver.preparePersistentValue(column.getEntityValue(row), column) as unknown),
    );
    await manager.query(sql, [JSON.stringify(values)]);
  }
}

/** Their addresses hold the username as well, though the file does not name them. */
async function touchCommandAgents(
  manager: EntityManager,
  accountIds: string[],
  nowMs: number,
): Promise<void> {
  for (const ids of chunks(accountIds)) {
    await manager
      .createQueryBuilder()
      .update(AgentEntity)
      .set({ updatedAtMs: nowMs, revision: () => 'revision + 1' })
      .where(`source = 'command' AND account_id IN (:...ids)`, { ids })
      .execute();
  }
}

function chunks<T>(entries: T[]): T[][] {
  const count = Math.ceil(entries.length / ROWS_PER_STATEMENT);
  return Array.from({ length: count }, (_, index) =>
    entries.slice(index * ROWS_PER_STATEMENT, (index + 1) * ROWS_PER_STATEMENT),
  );
}
