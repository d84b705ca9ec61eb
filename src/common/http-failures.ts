/** How loud a failure is in the log. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/**
 * A failure that is an HTTP status with `{"error":"…"}` on both wires (requirement W5): authentication,
 * visibility, size, capacity, availability.
 */
export abstract class HttpFailure extends Error {
  abstract readonly status: number;
  readonly logLevel: LogLevel = 'debug';

  /** Members of the body beside `error`. */
  fields(): Record<string, unknown> {
    return {};
  }

  /** Headers of the answer. */
  headers(): Record<string, string> {
    return {};
  }
}

export class UnauthorizedFailure extends HttpFailure {
  readonly status = 401;
  constructor(message = 'An account access token is required') {
    super(message);
  }

  override headers(): Record<string, string> {
    return { 'WWW-Authenticate': 'Bearer realm="hello-api"' };
  }
}

/** "Not there" and "not for you" are one answer, byte for byte (requirement C4). */
export class NotFoundFailure extends HttpFailure {
  readonly status = 404;
  constructor(message = 'Not found') {
    super(message);
  }
}

export class MethodNotAllowedFailure extends HttpFailure {
  readonly status = 405;
  constructor(readonly allow: string) {
    super(`This address answers ${allow} only`);
  }

  override headers(): Record<string, string> {
    return { Allow: this.allow };
  }
}

export class PayloadTooLargeFailure extends HttpFailure {
  readonly status = 413;
  constructor(limitBytes: number) {
    super(`The request body is over ${limitBytes} bytes`);
  }
}

abstract class RetryableFailure extends HttpFailure {
  constructor(
    message: string,
    readonly retryAfterSeconds: number,
  ) {
    super(message);
  }

  override headers(): Record<string, string> {
    return { 'Retry-After': String(Math.max(1, Math.ceil(this.retryAfterSeconds))) };
  }
}

export class TooManyRequestsFailure extends RetryableFailure {
  readonly status = 429;
  override readonly logLevel: LogLevel = 'info';
}

export class UnavailableFailure extends RetryableFailure {
  readonly status = 503;
  override readonly logLevel: LogLevel = 'info';

  constructor(
    message: string,
    retryAfterSeconds = 5,
    readonly task?: { taskId: string; contextId: string },
  ) {
    super(message, retryAfterSeconds);
  }

  override fields(): Record<string, unknown> {
    return { ...this.task };
  }
}

/** The wait budget ran out; the task goes on (requirement S3). */
export class WaitTimeoutFailure extends HttpFailure {
  readonly status = 504;
  constructor(readonly task: { taskId: string; contextId: string }) {
    super(`Task ${task.taskId} is saved and still in progress; fetch it with GetTask`);
  }

  override fields(): Record<string, unknown> {
    return { ...this.task };
  }
}
