import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { NotFoundFailure } from '../common/index.js';
import type { CallerAccount } from '../accounts/index.js';
import { AgentDirectory, linkKeysOf, visibleTo, type Agent } from '../directory/index.js';
import type { RpcRequest } from '../rpc/index.js';

/** A request whose caller is known and whose address led to an assistant that the caller may see. */
export interface DestinationRequest extends RpcRequest {
  caller: CallerAccount;
  destination: Agent;
}

/**
 * Resolves `@username/handle` and checks visibility, on every call (requirements H3, C4, C5). "Not there" and
 * "not for you" are one failure.
 */
@Injectable()
export class DestinationGuard implements CanActivate {
  constructor(private readonly directory: AgentDirectory) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<DestinationRequest>();
    const { address, handle } = request.params as { address: string; handle: string };
    const agent = address.startsWith('@')
      ? await this.directory.findByAddress(address.slice(1), handle)
      : undefined;
    const access = { caller: request.caller.accountId, linkKeys: linkKeysOf(request.query) };
    if (!agent || !visibleTo(agent, access)) throw new NotFoundFailure();
    request.destination = agent;
    return true;
  }
}
