import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';
import { AccountEntity } from '../store/account.entity.js';
import { AgentEntity } from '../store/agent.entity.js';
import { ApiKeyEntity } from '../store/api-key.entity.js';
import { ComputerEntity } from '../store/computer.entity.js';
import type { AgentContent, DirectoryContent } from './parse-directory-file.js';

/** SQLite takes at most 32,766 parameters a statement; a row has at most 14. */
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
  removed: string[];
}

/**
 * Makes the database say what the file says; for one unit of the write queue. Only rows that differ are
 * written, so that `revision` and `updatedAtMs` of an agent rise only when something of it changed.
 */
export async function applyDirectory(
  manager: EntityManager,
  content: DirectoryContent,
  nowMs: number,
): Promise<ImportSummary> {
  const accounts = await manager.find(AccountEntity);
  const renamed = renamedAccounts(accounts, content);
  const changes: Change<object>[] = [
    changesOf(AccountEntity, 'id', accounts, content.accounts),
    changesOf(ComputerEntity, 'id', await manager.find(ComputerEntity), content.computers),
    agentChanges(await manager.find(AgentEntity), content.agents, { renamed, nowMs }),
    changesOf(ApiKeyEntity, 'keyHash', await manager.find(ApiKeyEntity), content.apiKeys),
  ];
  // First everything that changes gives up its name and token, so that two entries can swap theirs.
  for (const change of changes) await deactivate(manager, change);
  for (const change of changes) await write(manager, change);
  return {
    changed: changes.reduce((sum, { changed }) => sum + changed.length, 0),
    deactivated: changes.reduce((sum, { removed }) => sum + removed.length, 0),
  };
}

/** The address of an agent holds the username, so a new one changes every agent of the account. */
function renamedAccounts(accounts: AccountEntity[], content: DirectoryContent): Set<string> {
  const usernames = new Map(accounts.map((account) => [account.id, account.username]));
  return new Set(
    content.accounts.filter(({ id, username }) => usernames.get(id) !== username).map(({ id }) => id),
  );
}

function changesOf<R extends { active: boolean }, T extends object>(
  target: EntityTarget<R>,
  key: keyof R & keyof T & string,
  rows: R[],
  wanted: T[],
): Change<T & { active: true }> {
  const keyOf = (entry: R | T) => String((entry as Record<string, unknown>)[key]);
  const stored = new Map(rows.map((row) => [keyOf(row), row]));
  const named = new Set(wanted.map(keyOf));
  return {
    target,
    key,
    changed: wanted
      .filter((entry) => differs(stored.get(keyOf(entry)), entry))
      .map((entry) => ({ ...entry, active: true })),
    removed: rows.filter((row) => row.active && !named.has(keyOf(row))).map(keyOf),
  };
}

function agentChanges(
  rows: AgentEntity[],
  wanted: AgentContent[],
  { renamed, nowMs }: { renamed: ReadonlySet<string>; nowMs: number },
): Change<object> {
  const revisions = new Map(rows.map((row) => [row.id, row.revision]));
  const visible = rows.filter((row) => !renamed.has(row.accountId));
  const { changed } = changesOf(AgentEntity, 'id', visible, wanted);
  return {
    ...changesOf(AgentEntity, 'id', rows, wanted),
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

async function deactivate(manager: EntityManager, change: Change<object>): Promise<void> {
  const changedKeys = change.changed.map((entry) => String((entry as Record<string, unknown>)[change.key]));
  for (const keys of chunks([...change.removed, ...changedKeys])) {
    await manager
      .createQueryBuilder()
      .update(change.target)
      .set({ active: false })
      .where(
        `${manager.connection.getMetadata(change.target).primaryColumns[0]?.databaseName} IN (:...keys)`,
        { keys },
      )
      .execute();
  }
}

async function write(manager: EntityManager, { target, key, changed }: Change<object>): Promise<void> {
  for (const rows of chunks(changed)) {
    await manager.upsert(target, rows, [key]);
  }
}

function chunks<T>(entries: T[]): T[][] {
  const count = Math.ceil(entries.length / ROWS_PER_STATEMENT);
  return Array.from({ length: count }, (_, index) =>
    entries.slice(index * ROWS_PER_STATEMENT, (index + 1) * ROWS_PER_STATEMENT),
  );
}
