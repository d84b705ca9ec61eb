import { Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ContentTypeNotSupportedError } from '../a2a/index.js';
import { sendJson } from '../common/index.js';
import type { CallContext } from './a2a-call.js';
import { A2ADispatcher } from './a2a.dispatcher.js';
import { clientSignal } from './client-signal.js';
import { isJsonContentType, readBody } from './request-body.js';
import { requestOriginOf } from './request-origin.js';
import { SseSettings } from './sse-settings.js';
import { writeEvents } from './sse-writer.js';
import { checkVersion } from './version.js';

/** A request with what the router found in its address. */
export interface RpcRequest extends IncomingMessage {
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, unknown>>;
}

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
    request: RpcRequest,
    response: ServerResponse,
    target: Pick<CallContext, 'version' | 'caller' | 'destination'>,
  ): Promise<void> {
    const signal = clientSignal(response);
    if (!isJsonContentType(request.headers['content-type'])) {
      throw new ContentTypeNotSupportedError('Content-Type must be application/json');
    }
    const body = await readBody(request);
    const asked = { header: headerOf(request, 'a2a-version'), parameter: request.query['A2A-Version'] };
    const dispatched = await this.dispatcher.dispatch(
      body,
      {
        ...target,
        idempotencyKey: headerOf(request, 'idempotency-key'),
        signal,
        ...requestOriginOf(request),
      },
      { checkVersion: () => checkVersion(target.version, asked) },
    );
    if (dispatched.kind === 'stream') {
      await writeEvents(response, dispatched.answers, { keepaliveMs: this.settings.keepaliveMs, signal });
    } else if (!signal.aborted) {
      sendJson(response, 200, dispatched.answer);
    }
  }
}

/** Node joins the values of a header that is sent twice. */
function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
