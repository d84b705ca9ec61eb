import { Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ContentTypeNotSupportedError } from '../a2a/index.js';
import { sendJsonText } from '../common/index.js';
import type { CallContext } from './a2a-call.js';
import { A2ADispatcher } from './a2a.dispatcher.js';
import { clientSignal, isClientGone } from './client-signal.js';
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
    if (!isJsonContentType(request.headers['content-type'])) {
      throw new ContentTypeNotSupportedError('Content-Type must be application/json');
    }
    const body = await readBody(request);
    const asked = { header: headerOf(request, 'a2a-version'), parameter: request.query['A2A-Version'] };
    const { requestId, traceparent } = requestOriginOf(request);
    let signal: AbortSignal | undefined;
    const context: CallContext = {
      version: target.version,
      caller: target.caller,
      destination: target.destination,
      idempotencyKey: headerOf(request, 'idempotency-key'),
      requestId,
      traceparent,
      // Made for those who ask: it costs more than validating the parameters of most calls, which end at once.
      get signal() {
        return (signal ??= clientSignal(response));
      },
    };
    const checks = { checkVersion: () => checkVersion(target.version, asked) };
    const dispatched = await this.dispatcher.dispatch(body, context, checks);
    if (dispatched.kind === 'stream') {
      const options = { keepaliveMs: this.settings.keepaliveMs, signal: context.signal };
      await writeEvents(response, dispatched.answers, options);
    } else if (!isClientGone(response)) {
      sendJsonText(response, 200, dispatched.json);
    }
  }
}

/** Node joins the values of a header that is sent twice. */
function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
