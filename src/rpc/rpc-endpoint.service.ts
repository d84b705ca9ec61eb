import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ContentTypeNotSupportedError } from '../a2a/index.js';
import type { CallContext } from './a2a-call.js';
import { A2ADispatcher } from './a2a.dispatcher.js';
import { clientSignal } from './client-signal.js';
import { isJsonContentType, readBody } from './request-body.js';
import { requestIdOf } from './request-id.js';
import { SseSettings } from './sse-settings.js';
import { writeEvents } from './sse-writer.js';
import { checkVersion } from './version.js';

/** One HTTP request that a wire has let in: from its body to the last byte of the answer (requirements W1–W5, P4). */
@Injectable()
export class RpcEndpoint {
  constructor(
    private readonly dispatcher: A2ADispatcher,
    private readonly settings: SseSettings,
  ) {}

  /**
   * @param target who calls whom, and the version that the address speaks
   * @throws HttpFailure for what is an HTTP status on the wire
   * @throws JsonRpcError for a body that is not JSON by its headers, or not readable
   */
  async answer(
    request: Request,
    response: Response,
    target: Pick<CallContext, 'version' | 'caller' | 'destination'>,
  ): Promise<void> {
    const signal = clientSignal(response);
    if (!isJsonContentType(request.headers['content-type'])) {
      throw new ContentTypeNotSupportedError('Content-Type must be application/json');
    }
    const body = await readBody(request);
    const asked = { header: request.get('A2A-Version'), parameter: request.query['A2A-Version'] };
    const dispatched = await this.dispatcher.dispatch(
      body,
      {
        ...target,
        idempotencyKey: request.get('Idempotency-Key'),
        signal,
        requestId: requestIdOf(request),
      },
      { checkVersion: () => checkVersion(target.version, asked) },
    );
    if (dispatched.kind === 'stream') {
      await writeEvents(response, dispatched.answers, { keepaliveMs: this.settings.keepaliveMs, signal });
    } else if (!signal.aborted) {
      response.status(200).json(dispatched.answer);
    }
  }
}
