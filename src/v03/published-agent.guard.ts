import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { CallerAccount } from '../accounts/index.js';
import { NotFoundFailure } from '../common/index.js';
import { AgentDirectory, type Agent } from '../directory/index.js';
import type { RpcRequest } from '../rpc/index.js';

/** A request whose caller is known and whose address led to a published agent. */
export interface PublishedAgentRequest extends RpcRequest {
  caller: CallerAccount;
  destination: Agent;
}

/**
 * Resolves the `AGENT_ID` of the address, on every call (requirements P1, H3). "Not there" and "not published" are one
 * failure.
 */
@Injectable()
export class PublishedAgentGuard implements CanActivate {
  constructor(private readonly directory: AgentDirectory) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<PublishedAgentRequest>();
    const { agentId } = request.params as { agentId: string };
    const agent = await this.directory.findById(agentId);
    if (!agent?.published) throw new NotFoundFailure();
    request.destination = agent;
    return true;
  }
}
