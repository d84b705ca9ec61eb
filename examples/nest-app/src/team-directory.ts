import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { AgentDirectory, type Agent, type Computer } from 'hello-api';
import { Column, Entity, PrimaryColumn, Repository } from 'typeorm';

/** An assistant as this team keeps it, in its own database. */
@Entity('helpers')
export class HelperEntity {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  team!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  computer!: string;
}

/** Finds assistants among the team's helpers. Nothing connects by relay token here, and there are no API keys. */
@Injectable()
export class TeamDirectory extends AgentDirectory {
  constructor(@InjectRepository(HelperEntity) private readonly helpers: Repository<HelperEntity>) {
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

  async findComputerByRelayToken(): Promise<Computer | undefined> {
    return undefined;
  }

  async findComputer(): Promise<undefined> {
    return undefined;
  }

  async recordSeen(): Promise<void> {}

  async findAccountByApiKey(): Promise<string | undefined> {
    return undefined;
  }
}

function agentOf(helper: HelperEntity | null): Agent | undefined {
  return helper
    ? {
        id: helper.id,
        accountId: helper.team,
        username: helper.team,
        handle: helper.name,
        computerId: helper.computer,
        visibility: 'public',
        published: false,
        skills: [],
        updatedAtMs: 0,
        revision: 1,
      }
    : undefined;
}
