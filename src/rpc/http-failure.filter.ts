import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { JsonRpcError } from '../a2a/index.js';
import {
  HttpFailure,
  LoginFailures,
  NotFoundFailure,
  UnauthorizedFailure,
  credentialIn,
  asError,
  describeError,
  sendJson,
  stackOf,
} from '../common/index.js';
import { requestIdOf } from './request-origin.js';
import { ErrorMapper, foreseen, toJsonRpcFailure } from './error.mapper.js';

/** Texts for failures that the framework raises; its own may repeat parts of the request. */
const FRAMEWORK_TEXTS: Record<number, string> = {
  400: 'The request cannot be read',
  405: 'Method not allowed',
  413: 'The request is too large',
};

/**
 * Everything that leaves as an HTTP status: `{"error":"…"}` in JSON, never a stack and never the framework's
 * own page (requirement W5). A JSON-RPC error that arises before there is a request becomes its envelope.
 */
@Catch()
export class HttpFailureFilter implements ExceptionFilter {
  constructor(
    private readonly errors: ErrorMapper,
    private readonly loginFailures: LoginFailures,
  ) {}

  catch(raised: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const thrown = this.counted(foreseen(raised) ?? asError(raised), http.getRequest<IncomingMessage>());
    const response = http.getResponse<ServerResponse>();
    const requestId = requestIdOf(http.getRequest<IncomingMessage>());
    if (response.headersSent) {
      response.end();
      return;
    }
    if (thrown instanceof JsonRpcError) {
      const status = thrown.code === -32005 ? 415 : 200;
      sendJson(response, status, toJsonRpcFailure(null, thrown));
      return;
    }
    try {
      const { status, body, headers } = this.answerTo(thrown, requestId);
      sendJson(response, status, body, headers);
    } catch (fault) {
      // A refusal of others whose members throw, or are no headers and no JSON: Node says so before anything is sent.
      const message = `a refusal (${describeError(thrown)}) cannot be sent: ${describeError(fault)}`;
      this.errors.log('error', message, { requestId, stack: stackOf(thrown) });
      sendJson(response, 500, internalError(requestId));
    }
  }

  /** A credential that is not valid is counted, whichever guard found out, and may be one too many. */
  private counted(thrown: unknown, { headers, socket }: IncomingMessage): unknown {
    const { authorization } = headers;
    if (!(thrown instanceof UnauthorizedFailure) || authorization === undefined) return thrown;
    try {
      this.loginFailures.note(credentialIn(authorization), socket.remoteAddress);
      return thrown;
    } catch (tooMany) {
      return tooMany;
    }
  }

  private answerTo(
    thrown: unknown,
    requestId: string,
  ): { status: number; body: Record<string, unknown>; headers: Record<string, string> } {
    if (thrown instanceof HttpFailure) {
      return {
        status: thrown.status,
        body: { error: thrown.message, ...thrown.fields() },
        headers: thrown.headers(),
      };
    }
    const status = thrown instanceof HttpException ? thrown.getStatus() : clientErrorStatus(thrown);
    if (status === 404) return { status, body: { error: new NotFoundFailure().message }, headers: {} };
    if (status !== undefined && status < 500) {
      return { status, body: { error: FRAMEWORK_TEXTS[status] ?? 'The request was refused' }, headers: {} };
    }
    this.errors.log('error', describeError(thrown), { requestId, stack: stackOf(thrown) });
    return { status: status ?? 500, body: internalError(requestId), headers: {} };
  }
}

function internalError(requestId: string): Record<string, unknown> {
  return { error: 'Internal error', requestId };
}

/** Errors of Express itself, such as a bad escape in the path, carry a status. */
function clientErrorStatus(thrown: unknown): number | undefined {
  if (thrown instanceof URIError) return 400;
  const status = (thrown as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
}
