export { untilAborted } from './abort.js';
export type { CallOrigin } from './call-origin.js';
export { Clock, SystemClock } from './clock.js';
export { asError, describeError, stackOf } from './describe-error.js';
export { Distribution, LONG_SECONDS, SHORT_SECONDS } from './distribution.js';
export { GroupedReads } from './grouped-reads.js';
export {
  HttpFailure,
  MethodNotAllowedFailure,
  NotFoundFailure,
  PayloadTooLargeFailure,
  RefusedFailure,
  TooManyRequestsFailure,
  UnauthorizedFailure,
  UnavailableFailure,
  WaitTimeoutFailure,
  type LogLevel,
} from './http-failures.js';
export { IdGenerator, UuidGenerator } from './ids.js';
export { PreparedResponse, prepareHeader } from './prepared-response.js';
export { routeTemplate } from './route-template.js';
export { sendJson, sendJsonText } from './send-json.js';
export { mapAsync } from './map-async.js';
export { hashSecret, isSecretHash, newSecret, secretMatches } from './secrets.js';
export { SharedReads } from './shared-reads.js';
export { isStorageFailure } from './storage-failure.js';
export { Tally } from './tally.js';
export { readTraceparent, traceIdOf } from './traceparent.js';
export { unreachableProvider } from './unreachable-provider.js';
export { currentSpan, traced, traceparentFor, type SpanOptions } from './tracing.js';
export { LoginFailures, credentialIn, type Credential } from './login-failures.js';
export { READER, StorageUnavailableError, WRITER, WriteQueue, type GroupWork } from './write-queue.js';
