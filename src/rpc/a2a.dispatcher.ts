import { Injectable } from '@nestjs/common';
import { MethodNotFoundError, type JsonRpcError } from '../a2a/index.js';
import type { CallContext } from './a2a-call.js';
import { A2AMethodRegistry } from './a2a-method.registry.js';
import { classifyEnvelope, type JsonRpcId } from './envelope.js';
import { ErrorMapper, toJsonRpcFailure, type JsonRpcFailure } from './error.mapper.js';
import { RpcAdmission } from './rpc-admission.js';

export interface JsonRpcSuccess {
  jsonrpc: '2.0';
  id: JsonRpcId;
  result: unknown;
}

export type JsonRpcAnswer = JsonRpcSuccess | JsonRpcFailure;

export interface DispatchOptions {
  /** Checked once the envelope is sound, so that its error carries the request's id (requirement W2). */
  checkVersion?: () => JsonRpcError | undefined;
}

/** Takes one HTTP body to the method it names, through Nest's own pipeline, and makes the answer. */
@Injectable()
export class A2ADispatcher {
  constructor(
    private readonly registry: A2AMethodRegistry,
    private readonly errors: ErrorMapper,
    private readonly admission: RpcAdmission,
  ) {}

  /**
   * @param body the request body, inflated
   * @returns the JSON-RPC answer, for HTTP 200
   * @throws HttpFailure for what is an HTTP status on the wire
   */
  async dispatch(
    body: Uint8Array,
    context: CallContext,
    options: DispatchOptions = {},
  ): Promise<JsonRpcAnswer> {
    await this.admission.admit(context.caller.accountId);
    const envelope = classifyEnvelope(body);
    if (envelope.kind === 'invalid') return toJsonRpcFailure(envelope.id, envelope.error);
    const { id, method, params } = envelope;
    try {
      const versionError = options.checkVersion?.();
      if (versionError) throw versionError;
      const handler = this.registry.find(context.version, method);
      if (!handler) throw new MethodNotFoundError();
      return { jsonrpc: '2.0', id, result: await handler({ ...context, id, method, params }) };
    } catch (thrown) {
      return toJsonRpcFailure(id, this.errors.toJsonRpcError(thrown, context.requestId));
    }
  }
}
