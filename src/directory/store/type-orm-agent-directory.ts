import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { GroupedReads, READER, StorageUnavailableError, WriteQueue, hashSecret } from '../../common/index.js';
import { AgentDirectory, type Agent, type Computer } from '../agent-directory.js';
import { directoryVersion } from '../directory-version.js';
import { frozenAgent } from '../frozen-agent.js';
import { AgentEntity } from './agent.entity.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { type ComputerRow, findComputers, recordSeen } from './find-computers.js';
import { LookUpCache } from './look-up-cache.js';

type AgentCondition = { id: string; account?: never } | { handle: string; account: { username: string } };

/** The directory in the database. Values that are handed out are shared and frozen. */
@Injectable()
export class TypeOrmAgentDirectory extends AgentDirectory {
  readonly #version = new GroupedReads(async (askers: undefined[]) => {
    const version = await directoryVersion(this.reader);
    return askers.map(() => version);
  });
  readonly #agents = new LookUpCache<Agent>(() => this.#currentVersion());
  readonly #byToken = new GroupedReads((hashes: string[]) =>
    findComputers(this.reader, 'relay_token_hash', hashes),
  );
  readonly #byId = new GroupedReads((ids: string[]) => findComputers(this.reader, 'id', ids));
  readonly #apiKeys = new LookUpCache<{ accountId: string }>(() => this.#currentVersion());

  constructor(
    @InjectDataSource(READER) private readonly reader: DataSource,
    private readonly queue: WriteQueue,
  ) {
    super();
  }

  findByAddress(username: string, handle: string): Promise<Agent | undefined> {
    // The length tells where a name with a slash in it ends.
    return this.#agents.get(`@${username.length}/${username}/${handle}`, () =>
      this.findAgent({ handle, account: { username } }),
    );
  }

  /** An id never begins with `@`, so that ids and addresses cannot meet in the cache. */
  findById(agentId: string): Promise<Agent | undefined> {
    if (agentId.startsWith('@')) return Promise.resolve(undefined);
    return this.#agents.get(agentId, () => this.findAgent({ id: agentId }));
  }

  async findComputerByRelayToken(relayToken: string): Promise<Computer | undefined> {
    const row = await this.read(() => this.#byToken.ask(hashSecret(relayToken)));
    return row && computerOf(row);
  }

  async findComputer(computerId: string): Promise<(Computer & { relayTokenHash: string }) | undefined> {
    const row = await this.read(() => this.#byId.ask(computerId));
    return row && { ...computerOf(row), relayTokenHash: row.relayTokenHash };
  }

  async handlesOf(computerId: string): Promise<string[]> {
    const rows = await this.read(() =>
      this.reader.manager.find(AgentEntity, {
        select: { id: true, handle: true },
        where: { computerId, active: true, account: { active: true } },
        order: { handle: 'ASC' },
      }),
    );
    return rows.map((row) => row.handle);
  }

  async recordSeen(computerId: string, nowMs: number): Promise<void> {
    await this.queue.writeTogether(recordSeen, { computerId, atMs: nowMs });
  }

  async findAccountByApiKey(apiKey: string): Promise<string | undefined> {
    const keyHash = hashSecret(apiKey);
    const found = await this.#apiKeys.get(keyHash, async () => {
      const row = await this.read(() =>
        this.reader.manager.findOne(ApiKeyEntity, {
          where: { keyHash, active: true, account: { active: true } },
        }),
      );
      return row ? { accountId: row.accountId } : undefined;
    });
    return found?.accountId;
  }

  /** Read once for all who ask in one turn (ADR 0016). */
  #currentVersion(): Promise<number> {
    return this.read(() => this.#version.ask(undefined));
  }

  private async findAgent({ account, ...where }: AgentCondition): Promise<Agent | undefined> {
    const row = await this.read(() =>
      this.reader.manager.findOne(AgentEntity, {
        where: { ...where, active: true, account: { ...account, active: true } },
        relations: { account: true },
      }),
    );
    return row?.account && agentOf(row, row.account.username);
  }

  private async read<T>(query: () => Promise<T>): Promise<T> {
    try {
      return await query();
    } catch (error) {
      throw new StorageUnavailableError(error);
    }
  }
}

function agentOf(row: AgentEntity, username: string): Agent {
  return frozenAgent({
    id: row.id,
    accountId: row.accountId,
    username,
    handle: row.handle,
    computerId: row.computerId,
    visibility: row.visibility,
    ...(row.linkKeyHash === null ? {} : { linkKeyHash: row.linkKeyHash }),
    published: row.published,
    ...(row.name === null ? {} : { name: row.name }),
    ...(row.description === null ? {} : { description: row.description }),
    ...(row.version === null ? {} : { version: row.version }),
    skills: row.skills,
    updatedAtMs: row.updatedAtMs,
    revision: row.revision,
  });
}

function computerOf(row: ComputerRow): Computer {
  return {
    id: row.id,
    accountId: row.accountId,
    ...(row.lastSeenAtMs === null ? {} : { lastSeenAtMs: row.lastSeenAtMs }),
  };
}
