import {
  ContentTypeNotSupportedError,
  ExtendedCardNotConfiguredError,
  InternalError,
  InvalidParamsError,
  InvalidRequestError,
  MethodNotFoundError,
  ParseError,
  PushNotificationNotSupportedError,
  StreamInterruptedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
  VersionNotSupportedError,
  type JsonRpcError,
} from '../../src/a2a/index.js';
import { KeySetUnavailableError, UnauthenticatedError } from '../../src/accounts/index.js';
import {
  StorageUnavailableError,
  MethodNotAllowedFailure,
  NotFoundFailure,
  PayloadTooLargeFailure,
  TooManyRequestsFailure,
  UnavailableFailure,
  WaitTimeoutFailure,
  type HttpFailure,
} from '../../src/common/index.js';
import { toJsonRpcFailure } from '../../src/rpc/error.mapper.js';
import { checkVersion } from '../../src/rpc/version.js';

/** What clients have matched on since the first release. A change here breaks somebody: make it on purpose. */
const errorInfo = (reason: string) =>
  `"data":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"${reason}","domain":"a2a-protocol.org"}]`;

const JSON_RPC: [JsonRpcError, string][] = [
  [new ParseError(), '{"code":-32700,"message":"Invalid JSON payload"}'],
  [new InvalidRequestError(), '{"code":-32600,"message":"Request payload validation error"}'],
  [new MethodNotFoundError(), '{"code":-32601,"message":"Method not found"}'],
  [
    new InvalidParamsError([{ field: 'message.parts[0].text', description: 'must not be empty' }]),
    '{"code":-32602,"message":"Invalid parameters","data":[{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"message.parts[0].text","description":"must not be empty"}]}]}',
  ],
  [
    new InternalError('request-1'),
    '{"code":-32603,"message":"Internal error","data":[{"@type":"type.googleapis.com/google.rpc.RequestInfo","requestId":"request-1"}]}',
  ],
  [new TaskNotFoundError(), `{"code":-32001,"message":"Task not found",${errorInfo('TASK_NOT_FOUND')}}`],
  [
    new TaskNotCancelableError(),
    `{"code":-32002,"message":"Task is already in a terminal state",${errorInfo('TASK_NOT_CANCELABLE')}}`,
  ],
  [
    new PushNotificationNotSupportedError(),
    `{"code":-32003,"message":"Push notifications are not supported",${errorInfo('PUSH_NOTIFICATION_NOT_SUPPORTED')}}`,
  ],
  [
    new UnsupportedOperationError('No'),
    `{"code":-32004,"message":"No",${errorInfo('UNSUPPORTED_OPERATION')}}`,
  ],
  [
    new ContentTypeNotSupportedError('No'),
    `{"code":-32005,"message":"No",${errorInfo('CONTENT_TYPE_NOT_SUPPORTED')}}`,
  ],
  [new StreamInterruptedError('The service restarts'), '{"code":-32603,"message":"The service restarts"}'],
  [
    new ExtendedCardNotConfiguredError(),
    `{"code":-32007,"message":"There is no extended agent card",${errorInfo('EXTENDED_AGENT_CARD_NOT_CONFIGURED')}}`,
  ],
  [
    checkVersion('1.0', { header: '0.3', parameter: undefined }) ?? new VersionNotSupportedError('none'),
    '{"code":-32009,"message":"This endpoint speaks A2A 1.0 only","data":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"VERSION_NOT_SUPPORTED","domain":"a2a-protocol.org","metadata":{"supportedVersions":"1.0"}}]}',
  ],
];

const TASK = { taskId: 'task-1', contextId: 'context-1' };
const REALM = 'Bearer realm="hello-api"';

const HTTP: [HttpFailure, number, string, Record<string, string>][] = [
  [
    new UnauthenticatedError(false),
    401,
    '{"error":"An account access token is required"}',
    { 'WWW-Authenticate': REALM },
  ],
  [
    new UnauthenticatedError(true),
    401,
    '{"error":"The account access token is not valid"}',
    { 'WWW-Authenticate': `${REALM}, error="invalid_token"` },
  ],
  [new NotFoundFailure(), 404, '{"error":"Not found"}', {}],
  [new MethodNotAllowedFailure('POST'), 405, '{"error":"This address answers POST only"}', { Allow: 'POST' }],
  [new PayloadTooLargeFailure(65_536), 413, '{"error":"The request body is over 65536 bytes"}', {}],
  [new TooManyRequestsFailure('Slow down', 12.1), 429, '{"error":"Slow down"}', { 'Retry-After': '13' }],
  [new UnavailableFailure('Offline'), 503, '{"error":"Offline"}', { 'Retry-After': '5' }],
  [
    new UnavailableFailure('Restarts', 5, TASK),
    503,
    '{"error":"Restarts","taskId":"task-1","contextId":"context-1"}',
    { 'Retry-After': '5' },
  ],
  [
    new KeySetUnavailableError(),
    503,
    '{"error":"Access tokens cannot be verified at the moment"}',
    { 'Retry-After': '5' },
  ],
  [
    new StorageUnavailableError(),
    503,
    '{"error":"The task store is not available at the moment"}',
    { 'Retry-After': '5' },
  ],
  [
    new WaitTimeoutFailure(TASK),
    504,
    '{"error":"Task task-1 is saved and still in progress; fetch it with GetTask","taskId":"task-1","contextId":"context-1"}',
    {},
  ],
];

describe('what a failure looks like on the wire', () => {
  it.each(JSON_RPC)('[W3] [W4] %s', (error, literal) => {
    expect(JSON.stringify(toJsonRpcFailure(7, error))).toBe(`{"jsonrpc":"2.0","id":7,"error":${literal}}`);
  });

  it.each(HTTP)('[W5] [H1] [S3] %s is %d', (failure, status, body, headers) => {
    expect(failure.status).toBe(status);
    expect(JSON.stringify({ error: failure.message, ...failure.fields() })).toBe(body);
    expect(failure.headers()).toEqual(headers);
  });
});
