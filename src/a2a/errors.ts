import type { LogLevel } from '../common/index.js';

/** One field of the parameters that is wrong, as `google.rpc.BadRequest` names it. */
export interface FieldViolation {
  /** Path in the caller's own spelling, for example `message.parts[0].text`. */
  field: string;
  description: string;
}

/** An error that travels inside a JSON-RPC answer with HTTP 200 (requirement W4). */
export abstract class JsonRpcError extends Error {
  abstract readonly code: number;
  readonly logLevel: LogLevel = 'debug';

  /** The `data` array of the wire: objects with `@type` (specification §9.5). */
  details(): Record<string, unknown>[] {
    return [];
  }
}

export class ParseError extends JsonRpcError {
  readonly code = -32700;
  constructor(message = 'Invalid JSON payload') {
    super(message);
  }
}

export class InvalidRequestError extends JsonRpcError {
  readonly code = -32600;
  constructor(message = 'Request payload validation error') {
    super(message);
  }
}

export class MethodNotFoundError extends JsonRpcError {
  readonly code = -32601;
  constructor(message = 'Method not found') {
    super(message);
  }
}

export class InvalidParamsError extends JsonRpcError {
  readonly code = -32602;
  constructor(readonly violations: FieldViolation[]) {
    super('Invalid parameters');
  }

  override details(): Record<string, unknown>[] {
    return [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: this.violations }];
  }
}

/** Anything that nobody foresaw. The caller learns a correlation id and nothing of the cause. */
export class InternalError extends JsonRpcError {
  readonly code = -32603;
  override readonly logLevel = 'error';
  constructor(readonly requestId: string) {
    super('Internal error');
  }

  override details(): Record<string, unknown>[] {
    return [{ '@type': 'type.googleapis.com/google.rpc.RequestInfo', requestId: this.requestId }];
  }
}

/** What was a stream already cannot go on; there is no HTTP status left to say so with (requirement P4). */
export class StreamInterruptedError extends JsonRpcError {
  readonly code = -32603;
}

/** An error that the A2A specification names (§5.4): code, reason and domain are the specification's. */
export abstract class A2AError extends JsonRpcError {
  abstract readonly reason: string;

  constructor(
    message: string,
    readonly metadata: Record<string, string> = {},
  ) {
    super(message);
  }

  override details(): Record<string, unknown>[] {
    const info: Record<string, unknown> = {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: this.reason,
      domain: 'a2a-protocol.org',
    };
    if (Object.keys(this.metadata).length > 0) info['metadata'] = this.metadata;
    return [info];
  }
}

export class TaskNotFoundError extends A2AError {
  readonly code = -32001;
  readonly reason = 'TASK_NOT_FOUND';
  /** Says the same for every id, so that nobody learns which ones exist (requirement H4). */
  constructor() {
    super('Task not found');
  }
}

export class TaskNotCancelableError extends A2AError {
  readonly code = -32002;
  readonly reason = 'TASK_NOT_CANCELABLE';
  constructor(message = 'Task is already in a terminal state') {
    super(message);
  }
}

export class PushNotificationNotSupportedError extends A2AError {
  readonly code = -32003;
  readonly reason = 'PUSH_NOTIFICATION_NOT_SUPPORTED';
  constructor(message = 'Push notifications are not supported') {
    super(message);
  }
}

export class UnsupportedOperationError extends A2AError {
  readonly code = -32004;
  readonly reason = 'UNSUPPORTED_OPERATION';
}

export class ContentTypeNotSupportedError extends A2AError {
  readonly code = -32005;
  readonly reason = 'CONTENT_TYPE_NOT_SUPPORTED';
}

/** There is no card beyond the public one (A2A 0.3 §7.10; 1.0 knows the code as well). */
export class ExtendedCardNotConfiguredError extends A2AError {
  readonly code = -32007;
  readonly reason = 'EXTENDED_AGENT_CARD_NOT_CONFIGURED';
  constructor() {
    super('There is no extended agent card');
  }
}

export class VersionNotSupportedError extends A2AError {
  readonly code = -32009;
  readonly reason = 'VERSION_NOT_SUPPORTED';
}
