import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { CallOrigin } from '../common/index.js';
import type { JsonRpcId } from './envelope.js';
import type { ProtocolVersion } from './a2a-handler.decorator.js';

/** What surrounds one JSON-RPC request: who calls whom, and how. */
export interface CallContext<Destination = unknown> extends CallOrigin {
  readonly version: ProtocolVersion;
  readonly caller: { readonly accountId: string };
  /** What the wire resolved from the address; its type is the wire's business. */
  readonly destination: Destination;
  /** The `Idempotency-Key` header as sent. */
  readonly idempotencyKey: string | undefined;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
  /** Names the request in logs and in internal errors. Lines of yours about the call should have it. */
  readonly requestId: string;
}

/** One call of a method; the single argument of the `a2a` execution context. */
export interface A2ACall<Destination = unknown> extends CallContext<Destination> {
  readonly id: JsonRpcId;
  readonly method: string;
  readonly params: Record<string, unknown>;
}

/** The name of the execution context type, as `ExecutionContext.getType()` gives it. */
export const A2A_CONTEXT = 'a2a';

/** Injects the whole call into a handler method. */
export const Call = createParamDecorator((_: unknown, context: ExecutionContext) =>
  context.getArgByIndex<A2ACall>(0),
);

/** Injects the call's parameters as they were sent; combine with a pipe that makes a DTO of them. */
export const RawParams = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.getArgByIndex<A2ACall>(0).params,
);
