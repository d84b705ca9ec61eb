import type { EntityManager, FindOptionsWhere } from 'typeorm';
import type { AgentSkill, EntrySource, Visibility } from '../agent-directory.js';
import { AccountEntity } from '../store/account.entity.js';
import { AgentEntity } from '../store/agent.entity.js';
import { ApiKeyEntity } from '../store/api-key.entity.js';
import { ComputerEntity } from '../store/computer.entity.js';
import type { DirectoryEntry } from '../store/directory-entry.js';
import { apiKeyId } from './api-key-id.js';

/** Entries of a disabled account are as good as disabled, and come back with it. */
export type EntryState = 'active' | 'disabled' | 'account disabled';

/** What an operator sees of an entry; never a secret or its hash. Times are absent where they are not known. */
interface EntryView {
  id: string;
  state: EntryState;
  source: EntrySource;
  createdAt?: Date;
  /** Of a computer or key: when it was revoked. */
  disabledAt?: Date;
}

export interface AccountView extends EntryView {
  username: string;
}

export interface ComputerView extends EntryView {
  account: string;
  /** When its daemon was last heard of. */
  lastSeenAt?: Date;
}

export interface AgentView extends EntryView {
  /** `@username/handle`. */
  address: string;
  account: string;
  username: string;
  handle: string;
  computer: string;
  visibility: Visibility;
  published: boolean;
  name?: string;
  description?: string;
  version?: string;
  skills: AgentSkill[];
  revision: number;
  updatedAt: Date;
}

export interface ApiKeyView extends EntryView {
  account: string;
  label?: string;
}

/** Which entries a list shows. */
export interface ListFilter {
  /** Id of the account; all accounts by default. */
  account?: string | undefined;
  /** Whether disabled and revoked ones are listed too. */
  all?: boolean | undefined;
}

export async function accountViews(
  manager: EntityManager,
  where: FindOptionsWhere<AccountEntity>,
): Promise<AccountView[]> {
  const rows = await manager.find(AccountEntity, { where, order: { username: 'ASC', id: 'ASC' } });
  return rows.map((row) => ({ ...entryView(row.id, row, true), username: row.username }));
}

export async function computerViews(
  manager: EntityManager,
  where: FindOptionsWhere<ComputerEntity>,
): Promise<ComputerView[]> {
  const rows = await manager.find(ComputerEntity, {
    where,
    relations: { account: true },
    order: { id: 'ASC' },
  });
  return rows.map((row) => ({
    ...entryView(row.id, row, row.account?.active),
    account: row.accountId,
    ...optional('lastSeenAt', timeOf(row.lastSeenAtMs)),
  }));
}

export async function agentViews(
  manager: EntityManager,
  where: FindOptionsWhere<AgentEntity>,
): Promise<AgentView[]> {
  const rows = await manager.find(AgentEntity, {
    where,
    relations: { account: true },
    order: { account: { username: 'ASC' }, handle: 'ASC', id: 'ASC' },
  });
  return rows.map(agentView);
}

function agentView(row: AgentEntity): AgentView {
  const username = row.account?.username ?? '';
  return {
    ...entryView(row.id, row, row.account?.active),
    address: `@${username}/${row.handle}`,
    account: row.accountId,
    username,
    handle: row.handle,
    computer: row.computerId,
    visibility: row.visibility,
    published: row.published,
    ...optional('name', row.name),
    ...optional('description', row.description),
    ...optional('version', row.version),
    skills: row.skills,
    revision: row.revision,
    updatedAt: new Date(row.updatedAtMs),
  };
}

export async function apiKeyViews(
  manager: EntityManager,
  where: FindOptionsWhere<ApiKeyEntity>,
): Promise<ApiKeyView[]> {
  const rows = await manager.find(ApiKeyEntity, {
    where,
    relations: { account: true },
    order: { accountId: 'ASC', createdAtMs: 'ASC', keyHash: 'ASC' },
  });
  return rows.map((row) => ({
    ...entryView(apiKeyId(row.keyHash), row, row.account?.active),
    account: row.accountId,
    ...optional('label', row.label),
  }));
}

function entryView(id: string, row: DirectoryEntry, accountActive: boolean | undefined): EntryView {
  return {
    id,
    state: !row.active ? 'disabled' : accountActive ? 'active' : 'account disabled',
    source: row.source,
    ...optional('createdAt', timeOf(row.createdAtMs)),
    ...optional('disabledAt', timeOf(row.deactivatedAtMs)),
  };
}

function timeOf(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}

function optional<K extends string, V>(member: K, value: V | null): Partial<Record<K, V>> {
  return value === null ? {} : ({ [member]: value } as Partial<Record<K, V>>);
}
