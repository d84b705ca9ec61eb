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

const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="hello-api"' };

export class UnauthorizedFailure extends HttpFailure {
  readonly status = 401;
  constructor(message = 'An account access token is required') {
    super(message);
  }

  override headers(): Record<string, string> {
    return CHALLENGE;
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

const RETRY = { 'Retry-After': '5' };
/** What an answer of these statuses has to carry (requirements H1, W5). */
const HEADERS_OF_STATUS: Record<number, Record<string, string>> = { 401: CHALLENGE, 429: RETRY, 503: RETRY };

/** A refusal of your own: any status, with a text for the caller. */
export class RefusedFailure extends HttpFailure {
  /**
   * @param status 400 to 599
   * @param message shown to the caller as `error`
   * @param moreHeaders of the answer, beside those that the status requires
   * @throws RangeError for a status that is no failure
   */
  constructor(
    readonly status: number,
    message: string,
    private readonly moreHeaders: Record<string, string> = {},
  ) {
    super(message);
    if (!(Number.isInteger(status) && status >= 400 && status <= 599)) {
      throw new RangeError(`RefusedFailure: the status must be 400 to 599, and not ${status}`);
    }
  }

  override headers(): Record<string, string> {
    return { ...HEADERS_OF_STATUS[this.status], ...this.moreHeaders };
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
