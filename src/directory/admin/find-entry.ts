import { Like, type EntityManager } from 'typeorm';
import { AccountEntity } from '../store/account.entity.js';
import { AgentEntity } from '../store/agent.entity.js';
import { ApiKeyEntity } from '../store/api-key.entity.js';
import { ComputerEntity } from '../store/computer.entity.js';
import { hashPrefixOf } from './api-key-id.js';
import { refusedEntry, unknownEntry } from './directory-admin.errors.js';

const ADDRESS = /^@([^/]+)\/([^/]+)$/;

/**
 * @param reference id, or `@username`
 * @throws DirectoryAdminError when there is no such account, or several disabled ones had the name
 */
export async function findAccount(manager: EntityManager, reference: string): Promise<AccountEntity> {
  if (reference.startsWith('@')) {
    const rows = await manager.findBy(AccountEntity, { username: reference.slice(1) });
    const found = activeOrOnly(rows, reference);
    if (found) return found;
  }
  const byId = await manager.findOneBy(AccountEntity, { id: reference });
  if (byId) return byId;
  const near = await manager.findOneBy(AccountEntity, {
    username: reference.replace(/^@/, '').toLowerCase(),
    active: true,
  });
  throw unknown('account', reference, near && `@${near.username}`);
}

/**
 * @param reference id, or `@username/handle`
 * @throws DirectoryAdminError when there is no such assistant, or several disabled ones had the address
 */
export async function findAgent(manager: EntityManager, reference: string): Promise<AgentEntity> {
  const byId = await manager.findOne(AgentEntity, { where: { id: reference }, relations: { account: true } });
  if (byId) return byId;
  const address = addressOf(reference);
  if (!address) throw unknown('agent', reference, null);
  const found = activeOrOnly(await agentsAt(manager, address), reference);
  if (found) return found;
  const [near] = await agentsAt(manager, {
    username: address.username.toLowerCase(),
    handle: address.handle.toLowerCase(),
  });
  throw unknown('agent', reference, near ? `@${near.account?.username}/${near.handle}` : null);
}

/** @throws DirectoryAdminError when there is no such computer */
export async function findComputer(manager: EntityManager, id: string): Promise<ComputerEntity> {
  const row = await manager.findOneBy(ComputerEntity, { id });
  if (!row) throw unknown('computer', id, null);
  return row;
}

/**
 * @param id as `hello key list` shows it
 * @throws DirectoryAdminError when there is no such key
 */
export async function findApiKey(manager: EntityManager, id: string): Promise<ApiKeyEntity> {
  if (id.startsWith('hi_')) throw refusedEntry('name the key by its id (key_…), never by the key itself');
  const prefix = hashPrefixOf(id);
  const rows =
    prefix === undefined ? [] : await manager.findBy(ApiKeyEntity, { keyHash: Like(`${prefix}%`) });
  const [row] = rows;
  if (!row) throw unknown('key', id, null);
  if (rows.length > 1) throw refusedEntry(`several keys have the id ${id}`);
  return row;
}

/** @returns the two names of `@username/handle`, or `undefined` for another text */
export function addressOf(text: string): { username: string; handle: string } | undefined {
  const [, username, handle] = ADDRESS.exec(text) ?? [];
  return username === undefined || handle === undefined ? undefined : { username, handle };
}

function agentsAt(
  manager: EntityManager,
  { username, handle }: { username: string; handle: string },
): Promise<AgentEntity[]> {
  return manager.find(AgentEntity, {
    where: { handle, account: { username } },
    relations: { account: true },
  });
}

/** Names are unique among what is active; what is disabled is meant only when nothing active has the name. */
function activeOrOnly<R extends { id: string; active: boolean; account?: { active: boolean } }>(
  rows: R[],
  reference: string,
): R | undefined {
  const active = rows.find((row) => row.active && (row.account?.active ?? true));
  if (active) return active;
  if (rows.length > 1) {
    throw refusedEntry(
      `several disabled entries were called ${reference}; name one by its id: ${rows.map(({ id }) => id).join(', ')}`,
    );
  }
  return rows[0];
}

function unknown(kind: string, reference: string, near: string | null): Error {
  const hint = near === null ? `\`hello ${kind} list --all\` shows them` : `did you mean ${near}?`;
  return unknownEntry(`there is no ${kind} ${JSON.stringify(reference)}; ${hint}`);
}
