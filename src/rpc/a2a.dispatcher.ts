import { Injectable } from '@nestjs/common';
import { MethodNotFoundError, type JsonRpcError } from '../a2a/index.js';
import type { CallContext } from './a2a-call.js';
import { A2AMethodRegistry } from './a2a-method.registry.js';
import { classifyEnvelope, type JsonRpcId } from './envelope.js';
import { ErrorMapper, toJsonRpcFailure, type JsonRpcFailure } from './error.mapper.js';
import { RpcAdmission } from './rpc-admission.js';
import { RpcStatistics, outcomeOf } from './rpc-statistics.js';

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
    private readonly statistics: RpcStatistics,
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
    const startedAtMs = performance.now();
    await this.admit(context, startedAtMs);
    const envelope = classifyEnvelope(body);
    if (envelope.kind === 'invalid') {
      this.statistics.of(context.version, 'other').record('invalid', startedAtMs);
      return toJsonRpcFailure(envelope.id, envelope.error);
    }
    const { id, method, params } = envelope;
    const handler = this.registry.find(context.version, method);
    const statistics = this.statistics.of(context.version, handler ? method : 'other');
    try {
      const versionError = options.checkVersion?.();
      if (versionError) throw versionError;
      if (!handler) throw new MethodNotFoundError();
      const result = await handler({ ...context, id, method, params });
      statistics.record('ok', startedAtMs);
      return { jsonrpc: '2.0', id, result };
    } catch (thrown) {
      statistics.record(outcomeOf(thrown), startedAtMs);
      return toJsonRpcFailure(id, this.errors.toJsonRpcError(thrown, context.requestId));
    }
  }

  private async admit({ version, caller }: CallContext, startedAtMs: number): Promise<void> {
    try {
      await this.admission.admit(caller.accountId);
    } catch (thrown) {
      this.statistics.of(version, 'other').record(outcomeOf(thrown), startedAtMs);
      throw thrown;
    }
  }
}
