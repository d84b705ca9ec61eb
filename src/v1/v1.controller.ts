import { All, Controller, Post, Req, Res, UseFilters, UseGuards, VERSION_NEUTRAL } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { MethodNotAllowedFailure } from '../common/index.js';
import { AccountGuard } from '../accounts/index.js';
import { HttpFailureFilter, RpcEndpoint } from '../rpc/index.js';
import { DestinationGuard, type DestinationRequest } from './destination.guard.js';

/** The A2A 1.0 endpoint of every assistant (requirement W1, specification §9). */
@Controller({ version: VERSION_NEUTRAL })
@UseFilters(HttpFailureFilter)
export class V1Controller {
  constructor(private readonly endpoint: RpcEndpoint) {}

  @Post('/a2a/:address/:handle')
  @UseGuards(AccountGuard, DestinationGuard)
  async call(@Req() request: DestinationRequest, @Res() response: ServerResponse): Promise<void> {
    const { caller, destination } = request;
    await this.endpoint.answer(request, response, { version: '1.0', caller, destination });
  }

  @All('/a2a/:address/:handle')
  refuseOtherVerbs(): never {
    throw new MethodNotAllowedFailure('POST');
  }
}
