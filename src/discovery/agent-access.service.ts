import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { LoginFailures, NotFoundFailure } from '../common/index.js';
import { AccountAuthenticator } from '../accounts/index.js';
import { AgentDirectory, linkKeysOf, visibleTo, type Agent } from '../directory/index.js';
import type { AgentAddress } from './agent-urls.js';

/** An assistant that the client may see. */
export interface VisibleAgent {
  agent: Agent;
  /** The key that opened it, if it was one. */
  linkKey: string | undefined;
}

/** A request whose query was parsed by the router. */
export interface DocumentRequest extends IncomingMessage {
  query: Readonly<Record<string, unknown>>;
}

/** Who may see a card (requirements C3, C4, C5). */
@Injectable()
export class AgentAccess {
  constructor(
    private readonly directory: AgentDirectory,
    private readonly accounts: AccountAuthenticator,
    private readonly loginFailures: LoginFailures,
  ) {}

  /**
   * A token is looked at only where it can matter, and there also for an address that does not exist, so that an outage of the
   * token issuer tells absent and private apart as little as anything else does.
   * @throws NotFoundFailure for an address that is not there or not for this client, without a difference
   * @throws TooManyRequestsFailure for one of too many tokens that are not valid
   * @throws KeySetUnavailableError when it depends on a token that cannot be verified at the moment
   */
  async find(address: AgentAddress, request: DocumentRequest): Promise<VisibleAgent> {
    const agent = await this.directory.findByAddress(address.username, address.handle);
    const linkKeys = linkKeysOf(request.query);
    if (agent && visibleTo(agent, { linkKeys })) {
      return { agent, linkKey: agent.visibility === 'link' ? linkKeys[0] : undefined };
    }
    const caller = await this.accounts.identify(request);
    if (agent && caller && visibleTo(agent, { caller: caller.accountId, linkKeys })) {
      return { agent, linkKey: undefined };
    }
    if (!caller && request.headers.authorization !== undefined)
      this.loginFailures.note('account_token', request.socket.remoteAddress);
    throw new NotFoundFailure();
  }
}
