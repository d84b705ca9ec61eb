import { hashSecret } from '../../src/common/index.js';
import { AgentDirectory, type Agent, type Computer } from '../../src/directory/index.js';

/** An assistant with what it must have, and what a test says. */
export function agentOf(fields: Partial<Agent> = {}): Agent {
  const handle = fields.handle ?? 'helper';
  return {
    id: `agent-${handle}`,
    accountId: 'account-alice',
    username: 'alice',
    handle,
    computerId: 'computer-1',
    visibility: 'public',
    published: false,
    skills: [],
    updatedAtMs: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
    revision: 1,
    ...fields,
  };
}

/** An assistant that a link key opens. */
export function linkAgentOf(key: string, fields: Partial<Agent> = {}): Agent {
  return agentOf({ visibility: 'link', linkKeyHash: hashSecret(key), ...fields });
}

/** A directory of assistants alone, exact in its look-ups. */
export class AgentDirectoryDouble extends AgentDirectory {
  readonly agents: Agent[] = [];

  async findByAddress(username: string, handle: string): Promise<Agent | undefined> {
    return this.agents.find((agent) => agent.username === username && agent.handle === handle);
  }
  async findById(agentId: string): Promise<Agent | undefined> {
    return this.agents.find((agent) => agent.id === agentId);
  }
  async findComputerByRelayToken(): Promise<Computer | undefined> {
    return undefined;
  }
  async findComputer(): Promise<(Computer & { relayTokenHash: string }) | undefined> {
    return undefined;
  }
  async handlesOf(): Promise<string[]> {
    return [];
  }
  async recordSeen(): Promise<void> {}
  async findAccountByApiKey(_apiKey: string): Promise<string | undefined> {
    return undefined;
  }
}
