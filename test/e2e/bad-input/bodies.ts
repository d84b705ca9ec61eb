import fc from 'fast-check';
import { oddText, oddValue } from './odd-values.js';

type Json = Record<string, unknown>;

/** Ids that exist, so that requests get past "not found". */
export interface KnownIds {
  tasks: string[];
  contexts: string[];
}

const optional = { requiredKeys: [] };
const messageId = fc.uuid({ version: 4 });
const metadata = fc.dictionary(fc.string({ maxLength: 12 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });
const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }),
  fc.constantFrom('hello', '👋 ü', ' x '),
);

function sendParams(known: KnownIds): fc.Arbitrary<Json> {
  const part = fc.record(
    { text, mediaType: fc.constantFrom('text/plain', 'TEXT/PLAIN'), metadata },
    { requiredKeys: ['text'] },
  );
  const message = fc.record(
    {
      messageId,
      role: fc.constantFrom<string | number>('ROLE_USER', 1),
      parts: fc.array(part, { minLength: 1, maxLength: 3 }),
      contextId: fc.constantFrom(...known.contexts),
      metadata,
      extensions: fc.constant([]),
      referenceTaskIds: fc.constant([]),
    },
    { requiredKeys: ['messageId', 'role', 'parts'] },
  );
  const configuration = fc.record(
    {
      returnImmediately: fc.boolean(),
      historyLength: fc.nat(3),
      acceptedOutputModes: fc.constantFrom(['text/plain'], ['image/png', 'text/*'], []),
    },
    optional,
  );
  return fc.record({ message, configuration, metadata }, { requiredKeys: ['message'] });
}

function listParams(known: KnownIds): fc.Arbitrary<Json> {
  return fc.record(
    {
      contextId: fc.constantFrom(...known.contexts),
      status: fc.constantFrom<string | number>('TASK_STATE_COMPLETED', 'TASK_STATE_WORKING', 0, 3),
      pageSize: fc.constantFrom<string | number>(1, 2, '3'),
      pageToken: fc.constant(''),
      historyLength: fc.constantFrom(0, 1, 100),
      statusTimestampAfter: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01T05:30:00+05:30'),
      includeArtifacts: fc.boolean(),
    },
    { requiredKeys: ['pageSize'] },
  );
}

/** A request that is right in every way. */
export function validRequest(known: KnownIds): fc.Arbitrary<Json> {
  const id = fc.constantFrom(...known.tasks);
  const params = {
    SendMessage: sendParams(known),
    GetTask: fc.record({ id, historyLength: fc.nat(3) }, { requiredKeys: ['id'] }),
    ListTasks: listParams(known),
    CancelTask: fc.record({ id, metadata }, { requiredKeys: ['id'] }),
  };
  const requests = Object.entries(params).map(([method, arbitrary]) =>
    fc.record({
      jsonrpc: fc.constant('2.0'),
      id: fc.oneof(fc.nat(), fc.string({ maxLength: 8 }), fc.constant(null)),
      method: fc.constant(method),
      params: arbitrary as fc.Arbitrary<Json>,
    }),
  );
  const [send = requests[0]!, ...others] = requests;
  return fc.oneof({ weight: 3, arbitrary: send }, ...others.map((arbitrary) => ({ weight: 1, arbitrary })));
}

interface Mutation {
  /** Chooses the member, of all there are. */
  place: number;
  kind: 'drop' | 'replace' | 'add' | 'rename' | 'wrap' | 'repeat';
  name: string;
  value: unknown;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  place: fc.nat(1_000),
  kind: fc.constantFrom('drop', 'replace', 'replace', 'replace', 'add', 'rename', 'wrap', 'repeat'),
  name: fc.oneof(
    fc.constantFrom(
      'tenant',
      'taskId',
      'contextId',
      'data',
      'url',
      'raw',
      'text',
      'pageToken',
      'extensions',
      'unknown',
    ),
    fc.constantFrom(
      'message_id',
      'page_size',
      'history_length',
      'task_push_notification_config',
      'referenceTaskIds',
    ),
    oddText,
  ),
  value: oddValue,
});

/** A valid request with one to three members dropped, retyped, renamed, added or repeated, anywhere in it. */
export function mutatedRequest(known: KnownIds): fc.Arbitrary<Json> {
  return fc
    .tuple(validRequest(known), fc.array(mutation, { minLength: 1, maxLength: 3 }))
    .map(([request, mutations]) => mutations.reduce(mutate, request));
}

function mutate(request: Json, { place, kind, name, value }: Mutation): Json {
  const copy = structuredClone(request);
  const places = membersOf(copy);
  const [owner, key] = places[place % Math.max(1, places.length)] ?? [copy, 'id'];
  if (kind === 'drop') delete owner[key];
  else if (kind === 'replace') owner[key] = value;
  else if (kind === 'add') set(owner, name, value);
  else if (kind === 'wrap') owner[key] = [owner[key]];
  else if (kind === 'repeat') owner[key] = Array.from({ length: 3 }, () => owner[key]);
  else set(owner, name, owner[key]);
  return copy;
}

/** As JSON would: also `__proto__` is a member like any other. */
function set(owner: Json, name: string, value: unknown): void {
  Object.defineProperty(owner, name, { value, enumerable: true, configurable: true, writable: true });
}

function membersOf(root: Json): [Json, string][] {
  return Object.keys(root).flatMap((key): [Json, string][] => {
    const child = root[key];
    const below = typeof child === 'object' && child !== null ? membersOf(child as Json) : [];
    return [[root, key], ...below];
  });
}

/** Names written twice, with another value first or last. */
export function withDuplicateNames(known: KnownIds): fc.Arbitrary<string> {
  const names = fc.constantFrom(
    'id',
    'method',
    'params',
    'message',
    'messageId',
    'parts',
    'text',
    'role',
    'jsonrpc',
  );
  return fc.tuple(validRequest(known), names, oddValue, fc.nat(30)).map(([request, name, value, place]) => {
    const body = JSON.stringify(request);
    const braces = [...body.matchAll(/\{(?!\})/g)].map(({ index }) => index + 1);
    const at = braces[place % braces.length] ?? 1;
    return `${body.slice(0, at)}${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'},${body.slice(at)}`;
  });
}

/** Bytes of a valid request, cut, doubled or overwritten. */
export function withBrokenBytes(known: KnownIds): fc.Arbitrary<Buffer> {
  return fc
    .tuple(validRequest(known), fc.nat(), fc.nat(12), fc.uint8Array({ maxLength: 8 }))
    .map(([request, place, removed, added]) => {
      const bytes = Buffer.from(JSON.stringify(request));
      const at = place % bytes.length;
      return Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed)]);
    });
}

/** Anything at all. */
export const anyBody: fc.Arbitrary<Buffer> = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc.json({ maxDepth: 5, stringUnit: 'binary' }).map((json) => Buffer.from(json)),
  oddValue.map((value) => Buffer.from(JSON.stringify(value) ?? '')),
  fc
    .constantFrom('[', '{', '"', '[['.repeat(20_000), '{"a":'.repeat(10_000), '1e999', '-', '\ufeff{}')
    .map((body) => Buffer.from(body)),
  fc.nat(3).map((more) => Buffer.alloc(64 * 1024 - 1 + more, ' ')),
);
