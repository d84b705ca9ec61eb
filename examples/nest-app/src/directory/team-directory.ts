import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { AgentDirectory, hashSecret, type Agent, type Computer } from 'hello-api';
import { LessThan, Repository } from 'typeorm';
import { ComputerEntity, HelperEntity } from './directory.entities.js';

/** Finds assistants among the helpers of teams. There are no API keys: sessions open the 0.3 addresses as well. */
@Injectable()
export class TeamDirectory extends AgentDirectory {
  constructor(
    @InjectRepository(HelperEntity) private readonly helpers: Repository<HelperEntity>,
    @InjectRepository(ComputerEntity) private readonly computers: Repository<ComputerEntity>,
  ) {
    super();
  }

  async findByAddress(team: string, name: string): Promise<Agent | undefined> {
    return agentOf(await this.helpers.findOneBy({ team, name }));
  }

  async findById(id: string): Promise<Agent | undefined> {
    return agentOf(await this.helpers.findOneBy({ id }));
  }

  async handlesOf(computer: string): Promise<string[]> {
    return (await this.helpers.findBy({ computer })).map(({ name }) => name);
  }

  async findComputerByRelayToken(relayToken: string): Promise<Computer | undefined> {
    return computerOf(await this.computers.findOneBy({ relayTokenHash: hashSecret(relayToken) }));
  }

  async findComputer(id: string): Promise<(Computer & { relayTokenHash: string }) | undefined> {
    return computerOf(await this.computers.findOneBy({ id }));
  }

  /** One statement, so that the later time stands whatever order they come in. */
  async recordSeen(id: string, nowMs: number): Promise<void> {
    await this.computers.update({ id, lastSeenAtMs: LessThan(nowMs) }, { lastSeenAtMs: nowMs });
  }

  async findAccountByApiKey(): Promise<undefined> {
    return undefined;
  }
}

function agentOf(helper: HelperEntity | null): Agent | undefined {
  if (!helper) return undefined;
  const { id, team, name, computer, updatedAtMs, revision } = helper;
  return {
    id,
    accountId: team,
    username: team,
    handle: name,
    computerId: computer,
    visibility: 'public',
    published: true,
    skills: [],
    updatedAtMs,
    revision,
  };
}

function computerOf(computer: ComputerEntity | null) {
  if (!computer) return undefined;
  const { id, team, relayTokenHash, lastSeenAtMs } = computer;
  return { id, accountId: team, relayTokenHash, ...(lastSeenAtMs > 0 && { lastSeenAtMs }) };
}
