import { All, Controller, Post, Req, Res, UseFilters, UseGuards, VERSION_NEUTRAL } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { ApiCredentialGuard } from '../accounts/index.js';
import { MethodNotAllowedFailure } from '../common/index.js';
import { HttpFailureFilter, RpcEndpoint } from '../rpc/index.js';
import { PublishedAgentGuard, type PublishedAgentRequest } from './published-agent.guard.js';

/** The A2A 0.3 endpoint of every published agent (requirement P2). */
@Controller({ version: VERSION_NEUTRAL })
@UseFilters(HttpFailureFilter)
export class V03Controller {
  constructor(private readonly endpoint: RpcEndpoint) {}

  @Post('/a2a/:agentId')
  @UseGuards(ApiCredentialGuard, PublishedAgentGuard)
  async call(@Req() request: PublishedAgentRequest, @Res() response: ServerResponse): Promise<void> {
    const { caller, destination } = request;
    await this.endpoint.answer(request, response, { version: '0.3', caller, destination });
  }

  @All('/a2a/:agentId')
  refuseOtherVerbs(): never {
    throw new MethodNotAllowedFailure('POST');
  }
}
