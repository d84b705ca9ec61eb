import { All, Controller, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ContentTypeNotSupportedError } from '../a2a/index.js';
import { MethodNotAllowedFailure } from '../common/index.js';
import { AccountGuard } from '../accounts/index.js';
import { A2ADispatcher, clientSignal, isJsonContentType, readBody, requestIdOf } from '../rpc/index.js';
import { DestinationGuard, type DestinationRequest } from './destination.guard.js';
import { checkVersion } from './version.js';

/** The A2A 1.0 endpoint of every assistant (requirement W1, specification §9). */
@Controller()
export class V1Controller {
  constructor(private readonly dispatcher: A2ADispatcher) {}

  @Post('/a2a/:address/:handle')
  @UseGuards(AccountGuard, DestinationGuard)
  async call(@Req() request: DestinationRequest, @Res() response: Response): Promise<void> {
    const signal = clientSignal(response);
    if (!isJsonContentType(request.headers['content-type'])) {
      throw new ContentTypeNotSupportedError('Content-Type must be application/json');
    }
    const body = await readBody(request);
    const answer = await this.dispatcher.dispatch(
      body,
      {
        version: '1.0',
        caller: request.caller,
        destination: request.destination,
        idempotencyKey: request.get('Idempotency-Key'),
        signal,
        requestId: requestIdOf(request),
      },
      { checkVersion: () => checkVersion(request.get('A2A-Version'), request.query['A2A-Version']) },
    );
    if (!signal.aborted) response.status(200).json(answer);
  }

  @All('/a2a/:address/:handle')
  refuseOtherVerbs(@Req() _request: Request): never {
    throw new MethodNotAllowedFailure('POST');
  }
}
