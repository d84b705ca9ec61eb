import { AgentDirectory, type Agent, type Computer } from '../agent-directory.js';
import type { AgentsInCode } from './agents-in-code.js';

/**
 * The directory with what code brings. Entries in code come first; a stored one that appears beside one of them later
 * is not seen. Computers of this process have no token, and no stored entry can be one of them.
 */
export class MergedAgentDirectory extends AgentDirectory {
  constructor(
    private readonly stored: AgentDirectory,
    private readonly inCode: AgentsInCode,
  ) {
    super();
  }

  findByAddress(username: string, handle: string): Promise<Agent | undefined> {
    const own = this.inCode.findByAddress(username, handle);
    return own ? Promise.resolve(own) : this.stored.findByAddress(username, handle);
  }

  findById(agentId: string): Promise<Agent | undefined> {
    const own = this.inCode.findById(agentId);
    return own ? Promise.resolve(own) : this.stored.findById(agentId);
  }

  async findComputerByRelayToken(relayToken: string): Promise<Computer | undefined> {
    const computer = await this.stored.findComputerByRelayToken(relayToken);
    return computer && this.inCode.handlesOf(computer.id) ? undefined : computer;
  }

  async findComputer(computerId: string): Promise<(Computer & { relayTokenHash: string }) | undefined> {
    return this.inCode.handlesOf(computerId) ? undefined : await this.stored.findComputer(computerId);
  }

  async handlesOf(computerId: string): Promise<string[]> {
    return this.inCode.handlesOf(computerId) ?? (await this.stored.handlesOf(computerId));
  }

  recordSeen(computerId: string, nowMs: number): Promise<void> {
    return this.stored.recordSeen(computerId, nowMs);
  }

  findAccountByApiKey(apiKey: string): Promise<string | undefined> {
    return this.stored.findAccountByApiKey(apiKey);
  }
}
