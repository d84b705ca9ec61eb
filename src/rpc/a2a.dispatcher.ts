import { Injectable } from '@nestjs/common';
import { MethodNotFoundError, type JsonRpcError } from '../a2a/index.js';
import { mapAsync, traced } from '../common/index.js';
import type { A2ACall, CallContext } from './a2a-call.js';
import { A2AMethodRegistry, type RegisteredMethod } from './a2a-method.registry.js';
import { classifyEnvelope, type Envelope, type JsonRpcId } from './envelope.js';
import { ErrorMapper, toJsonRpcFailure } from './error.mapper.js';
import { RpcAdmission } from './rpc-admission.js';
import { RpcStatistics, outcomeOf, type MethodStatistics, type RpcOutcome } from './rpc-statistics.js';

/** As OpenTelemetry's conventions for RPC name it. */
const RPC_SYSTEM = { 'rpc.system': 'jsonrpc' };

/**
 * What a request comes to, as JSON: one answer, or for a streaming method any number of them under the same id. Written here,
 * where what cannot be written is the failure of its method.
 */
export type Dispatched =
  { kind: 'answer'; json: string } | { kind: 'stream'; answers: AsyncIterable<string> };

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
   * A streaming method answers in a stream whatever happens: clients of 0.3 look for its errors nowhere else (requirement P4).
   * @param body the request body, inflated
   * @returns what to send with HTTP 200
   * @throws HttpFailure for what is an HTTP status on the wire
   */
  async dispatch(body: Uint8Array, context: CallContext, options: DispatchOptions = {}): Promise<Dispatched> {
    const startedAtMs = performance.now();
    const admitted = this.admit(context, startedAtMs);
    if (admitted) await admitted;
    const envelope = classifyEnvelope(body);
    const { id, method: name } = envelope;
    const method = name === undefined ? undefined : this.registry.find(context.version, name);
    const knownName = method && name ? name : 'other';
    const statistics = this.statistics.of(context.version, knownName);
    const span = { kind: 'server', attributes: RPC_SYSTEM, under: context.traceparent } as const;
    return await traced(`a2a ${knownName}`, span, async () => {
      try {
        const versionError = envelope.kind === 'request' ? options.checkVersion?.() : undefined;
        if (versionError) throw versionError;
        const result = await call(method, envelope, context);
        requireForm(result, method);
        if (method?.streams) {
          const stream = { items: result as AsyncIterable<unknown>, id, context, method };
          return { kind: 'stream', answers: this.streamOf(stream, { statistics, startedAtMs }) };
        }
        const json = answerOf(id, result);
        statistics.record('ok', startedAtMs);
        return { kind: 'answer', json };
      } catch (thrown) {
        statistics.record(outcomeOf(thrown), startedAtMs);
        const error = this.errors.toJsonRpcError(thrown, context.requestId, method?.origin);
        const json = JSON.stringify(toJsonRpcFailure(id, error));
        return method?.streams ? { kind: 'stream', answers: only(json) } : { kind: 'answer', json };
      }
    });
  }

  private admit({ version, caller }: CallContext, startedAtMs: number): void | Promise<void> {
    const refuse = (thrown: unknown) => {
      this.statistics.of(version, 'other').record(outcomeOf(thrown), startedAtMs);
      throw thrown;
    };
    try {
      return this.admission.admit(caller.accountId)?.catch(refuse);
    } catch (thrown) {
      refuse(thrown);
    }
  }

  /** The answers of a stream, which is counted when it is over; a client that goes away is no failure of the method. */
  private streamOf(
    { items, id, context, method }: Stream,
    { statistics, startedAtMs }: { statistics: MethodStatistics; startedAtMs: number },
  ): AsyncIterable<string> {
    let outcome: RpcOutcome = 'ok';
    return mapAsync<unknown, string>(
      items,
      (item) => answerOf(id, item),
      (thrown) => {
        if (!context.signal.aborted) outcome = outcomeOf(thrown);
        const error = this.errors.toStreamError(thrown, context.requestId, method.origin);
        return JSON.stringify(toJsonRpcFailure(id, error));
      },
      () => statistics.record(outcome, startedAtMs),
    );
  }
}

/** What a streaming method returned, and for which request. */
interface Stream {
  items: AsyncIterable<unknown>;
  id: JsonRpcId;
  context: CallContext;
  method: RegisteredMethod;
}

/** @throws JsonRpcError when the envelope is wrong or nobody answers the method */
async function call(
  method: RegisteredMethod | undefined,
  envelope: Envelope,
  context: CallContext,
): Promise<unknown> {
  if (envelope.kind === 'invalid') throw envelope.error;
  if (!method) throw new MethodNotFoundError();
  return method.handler(callOf(envelope, context));
}

/** The signal stays unmade until somebody asks for it. */
function callOf(envelope: Envelope & { kind: 'request' }, context: CallContext): A2ACall {
  return {
    version: context.version,
    caller: context.caller,
    destination: context.destination,
    idempotencyKey: context.idempotencyKey,
    requestId: context.requestId,
    traceparent: context.traceparent,
    id: envelope.id,
    method: envelope.method,
    params: envelope.params,
    get signal() {
      return context.signal;
    },
  };
}

/**
 * An answer has a result, also that of a method that returns nothing (requirement W4).
 * @throws TypeError for what JSON has no form for, and what the result throws when it is written
 */
function answerOf(id: JsonRpcId, result: unknown): string {
  const json = JSON.stringify(result ?? null) as string | undefined;
  if (json === undefined) throw new TypeError('JSON has no form for its result');
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${json}}`;
}

/** @throws TypeError when the method streams and said that it does not, or the other way round */
function requireForm(result: unknown, method: RegisteredMethod | undefined): void {
  const isStream = typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
  if (isStream === (method?.streams ?? false)) return;
  throw new TypeError(
    isStream
      ? 'it returned an AsyncIterable, which needs { streams: true }'
      : 'it has { streams: true } and returned no AsyncIterable',
  );
}

async function* only<T>(item: T): AsyncGenerator<T> {
  yield item;
}
