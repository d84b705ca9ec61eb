import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import {
  anyBody,
  mutatedRequest,
  validRequest,
  withBrokenBytes,
  withDuplicateNames,
  type KnownIds,
} from './bodies.js';
import type { WireRequest } from './wire-client.js';

export interface Addressed {
  path: string;
  token: string;
}

const VERSIONS = ['', '0.3', '1.0.0', '1.0.1', '1.1', '1', '9.9', 'x', '1.0, 0.3', ' 1.0 ', '1.0\t', '٠.١'];
const TYPES = [
  'application/json; charset=utf-8',
  'application/json;',
  'application/json; charset=utf-16',
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  ';',
  'APPLICATION/JSON;CHARSET="UTF-8";x',
];
const ENCODINGS = ['gzip', 'deflate', 'br', 'identity', 'compress', 'gzip, gzip', '', 'x', 'zstd'];
const KEYS = ['', ' ', 'k', 'k'.repeat(128), 'k'.repeat(129), 'ÿ', 'a,b', '__proto__', 'k'.repeat(8_000)];
const REQUEST_IDS = ['', 'mine', 'x'.repeat(128), 'x'.repeat(129), 'a b', '{"a":1}', 'ÿ'];
const QUERIES = [
  '',
  '?',
  '?k=',
  '?k=a&k=b',
  '?k[]=a',
  '?A2A-Version=9.9',
  '?A2A-Version=1.0&A2A-Version=2',
  '?%zz',
  '?%00=%ff',
  '?__proto__=1',
];
const PATHS = [
  '/a2a/%40alice/helper',
  '/a2a/@alice/helper/',
  '/a2a/@alice/helper//',
  '/a2a/@alice/absent',
  '/a2a/@alice/hidden',
  '/a2a/@alice/linked',
  '/a2a/@alice/%zz',
  '/a2a/@alice/%00',
  '/a2a/@alice/..%2f..%2fetc',
  '/a2a/@alice/../../etc/passwd',
  '/a2a/@__proto__/constructor',
  '/a2a/@alice/helper/.well-known/agent-card.json',
  '/a2a/@alice/helper/tasks/1:cancel',
  `/a2a/@${'a'.repeat(3_000)}/b`,
  '/a2a/@%F0%9F%98%80/%ed%a0%80',
  '/a2a//',
  '/relay',
  '//',
  '/',
  '*',
  '/@alice/helper/.well-known/agent.json',
  '/.well-known/agent-card.json',
  'http://evil.example/a2a/@alice/helper',
];

const authorizations = (token: string) => [
  '',
  'Bearer',
  'Bearer ',
  `bearer ${token}`,
  `Bearer  ${token}`,
  `Bearer ${token}x`,
  `Bearer ${token} ${token}`,
  `Basic ${token}`,
  'Bearer rt_0123456789',
  'Bearer hi_0123456789',
  'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhY2N0LWJvYiJ9.',
  `Bearer ${'x'.repeat(9_000)}`,
];

/** The headers of a good client, one or two of them replaced or sent twice. */
function oddHeaders({ token }: Addressed): fc.Arbitrary<WireRequest['headers']> {
  const odd = fc.string({ maxLength: 30 });
  return fc.record(
    {
      'A2A-Version': fc.oneof(fc.constantFrom(...VERSIONS, ['1.0', '9.9']), odd),
      'Content-Type': fc.oneof(fc.constantFrom(...TYPES), odd),
      'Content-Encoding': fc.constantFrom(...ENCODINGS),
      'Idempotency-Key': fc.oneof(fc.constantFrom(...KEYS, ['a', 'b']), odd),
      Authorization: fc.oneof(fc.constantFrom(...authorizations(token)), odd),
      'X-Request-Id': fc.oneof(fc.constantFrom(...REQUEST_IDS), odd),
      'A2A-Extensions': odd,
      Accept: fc.constantFrom('text/html', 'text/event-stream', '', '*/*;q=0'),
      'X-Forwarded-For': odd,
      'If-None-Match': fc.constantFrom('*', '""', 'W/"x"'),
      Origin: fc.constantFrom('null', 'https://evil.example'),
    },
    { requiredKeys: [] },
  );
}

const goodHeaders = ({ token }: Addressed) => ({
  'Content-Type': 'application/json',
  'A2A-Version': '1.0',
  Authorization: `Bearer ${token}`,
});

/** A good envelope around everything; what is sent in it is bad in some way. */
export function badBody(to: Addressed, known: KnownIds): fc.Arbitrary<WireRequest> {
  const body = fc.oneof(
    { weight: 8, arbitrary: mutatedRequest(known).map((request) => Buffer.from(JSON.stringify(request))) },
    { weight: 1, arbitrary: validRequest(known).map((request) => Buffer.from(JSON.stringify(request))) },
    { weight: 2, arbitrary: withDuplicateNames(known).map((text) => Buffer.from(text)) },
    { weight: 2, arbitrary: withBrokenBytes(known) },
    { weight: 1, arbitrary: anyBody },
  );
  return body.map((bytes) => ({ method: 'POST', path: to.path, headers: goodHeaders(to), body: bytes }));
}

/** What is sent is mostly good; how and where it is sent is not. */
export function badHead(to: Addressed, known: KnownIds): fc.Arbitrary<WireRequest> {
  const path = fc.oneof(
    { weight: 3, arbitrary: fc.constant(to.path) },
    { weight: 1, arbitrary: fc.constantFrom(...PATHS) },
    { weight: 1, arbitrary: fc.webPath().map((tail) => `/a2a/@alice${tail}`) },
  );
  return fc
    .record({
      method: fc.constantFrom(
        'POST',
        'POST',
        'POST',
        'POST',
        'GET',
        'PUT',
        'DELETE',
        'PATCH',
        'OPTIONS',
        'PROPFIND',
      ),
      path: fc.tuple(
        path,
        fc.oneof(
          fc.constantFrom(...QUERIES),
          fc.webQueryParameters().map((query) => `?${query}`),
        ),
      ),
      headers: oddHeaders(to),
      body: fc
        .oneof(validRequest(known), mutatedRequest(known))
        .map((request) => Buffer.from(JSON.stringify(request))),
      zipped: fc.boolean(),
    })
    .map(({ method, path: [address, query], headers, body, zipped }) => ({
      method,
      path: address + query,
      headers: { ...goodHeaders(to), ...headers },
      body: zipped && headers['Content-Encoding'] === 'gzip' ? gzipSync(body) : body,
    }));
}
