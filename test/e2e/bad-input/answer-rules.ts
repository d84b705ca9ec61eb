import { ListTasksResponse, Task } from '@a2a-js/sdk';
import type { WireAnswer } from './wire-client.js';

/** Statuses that bad input alone may bring; a 5xx has no cause while the daemon is there and the store works. */
const STATUSES = [200, 304, 400, 401, 404, 405, 413, 415, 431];
const JSON_RPC_CODES = [-32700, -32600, -32601, -32602, -32001, -32002, -32003, -32004, -32005, -32009];
const INTERNALS =
  /\bat .+:\d+:\d+|node_modules|\/src\/|\.[jt]s:\d|sqlite|\b(select|insert|update|delete)\b.+\b(from|into|set)\b|typeorm|EntityMetadata|Cannot read prop|is not a function|Unexpected token|in JSON at/i;

type Json = Record<string, unknown>;

/** The members that each object of an answer may have; a strict protobuf parser refuses any other. */
const MEMBERS = {
  task: ['id', 'contextId', 'status', 'artifacts', 'history', 'metadata'],
  status: ['state', 'message', 'timestamp'],
  message: ['messageId', 'contextId', 'taskId', 'role', 'parts', 'metadata'],
  part: ['text', 'metadata', 'filename', 'mediaType'],
  artifact: ['artifactId', 'name', 'parts', 'metadata'],
  page: ['tasks', 'nextPageToken', 'pageSize', 'totalSize'],
} as const;
const STATES = /^TASK_STATE_(SUBMITTED|WORKING|COMPLETED|FAILED|CANCELED|REJECTED)$/;
const UTC_MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * What is wrong with an answer, whatever the request was (requirements W3–W6): the first broken rule, or `undefined`.
 * @param expectedId the id that an envelope must echo; `undefined` where the request had none that could be
 */
export function faultOf(answer: WireAnswer, expectedId: unknown): string | undefined {
  if (!STATUSES.includes(answer.status)) return `status ${answer.status}`;
  // Node itself refuses a head of more than 16 KiB, before there is a request.
  if (answer.status === 431) return answer.text === '' ? undefined : '431 with a body';
  if (!answer.headers['x-request-id']) return 'no X-Request-Id';
  if (answer.status === 304) return answer.text === '' ? undefined : '304 with a body';
  if (!/^application\/json\b/.test(answer.headers['content-type'] ?? '')) return 'not JSON by its header';
  const body = parsed(answer.text);
  if (!isObject(body)) return 'not a JSON object';
  if ('jsonrpc' in body) return envelopeFault(body, answer, expectedId);
  return answer.status === 200 ? undefined : failureFault(body, answer);
}

function failureFault(body: Json, answer: WireAnswer): string | undefined {
  if (INTERNALS.test(answer.text)) return 'internals in a failure';
  if (Object.keys(body).join() !== 'error' || typeof body['error'] !== 'string')
    return 'unknown form of failure';
  if (answer.status === 401 && !answer.headers['www-authenticate']?.startsWith('Bearer'))
    return 'no challenge';
  return answer.status === 405 && !answer.headers.allow ? 'no Allow' : undefined;
}

function envelopeFault(body: Json, answer: WireAnswer, expectedId: unknown): string | undefined {
  if (answer.status !== 200 && answer.status !== 415) return `envelope with status ${answer.status}`;
  const { jsonrpc, id, result, error } = body;
  if (jsonrpc !== '2.0') return 'not JSON-RPC 2.0';
  const outcome = 'result' in body ? 'result' : 'error';
  if (Object.keys(body).sort().join() !== ['id', 'jsonrpc', outcome].sort().join())
    return 'not one of result and error';
  const echoed = answer.status === 415 || expectedId === undefined ? null : expectedId;
  if (id !== echoed) return `id ${JSON.stringify(id)} instead of ${JSON.stringify(echoed)}`;
  return outcome === 'error' ? errorFault(error, answer) : resultFault(result);
}

function errorFault(error: unknown, answer: WireAnswer): string | undefined {
  if (!isObject(error)) return 'error is no object';
  if (unknownMember(error, ['code', 'message', 'data'])) return 'unknown member of error';
  if (!JSON_RPC_CODES.includes(error['code'] as number)) return `code ${JSON.stringify(error['code'])}`;
  if (typeof error['message'] !== 'string' || error['message'] === '') return 'error without a message';
  if (INTERNALS.test(answer.text)) return 'internals in an error';
  const { data } = error;
  if (data === undefined) return undefined;
  const typed =
    Array.isArray(data) && data.length > 0 && data.every((item) => isObject(item) && '@type' in item);
  return typed ? undefined : 'data without @type';
}

function resultFault(result: unknown): string | undefined {
  if (!isObject(result)) return 'result is no object';
  if ('tasks' in result) return pageFault(result);
  if (!('task' in result)) return taskFault(result);
  return Object.keys(result).join() === 'task' ? taskFault(result['task']) : 'unknown member of result';
}

function pageFault(page: Json): string | undefined {
  const { tasks } = page;
  if (Object.keys(page).sort().join() !== [...MEMBERS.page].sort().join())
    return 'a page without all its members';
  if (!Array.isArray(tasks)) return 'tasks is no list';
  if (!Number.isInteger(page['totalSize']) || !Number.isInteger(page['pageSize']))
    return 'sizes are no numbers';
  const read: unknown = ListTasksResponse.toJSON(ListTasksResponse.fromJSON(page));
  if ((read as { tasks?: unknown[] }).tasks?.length !== (tasks.length || undefined))
    return 'the SDK reads other tasks';
  return firstFault(tasks, taskFault);
}

/** @returns what a strict reader would choke on in a task */
export function taskFault(task: unknown): string | undefined {
  if (!isObject(task)) return 'task is no object';
  const stranger = unknownMember(task, MEMBERS.task);
  if (stranger) return `task.${stranger}`;
  const { status, history = [], artifacts = [] } = task;
  if (typeof task['id'] !== 'string' || typeof task['contextId'] !== 'string') return 'task without ids';
  if (!isObject(status) || unknownMember(status, MEMBERS.status)) return 'unknown member of status';
  if (!STATES.test(String(status['state']))) return `state ${JSON.stringify(status['state'])}`;
  if (!UTC_MILLISECONDS.test(String(status['timestamp']))) return 'timestamp';
  if (!Array.isArray(history) || !Array.isArray(artifacts)) return 'history or artifacts is no list';
  const messages = status['message'] === undefined ? history : [...history, status['message']];
  return firstFault(messages, messageFault) ?? firstFault(artifacts, artifactFault) ?? roundTripFault(task);
}

function messageFault(message: unknown): string | undefined {
  if (!isObject(message) || unknownMember(message, MEMBERS.message)) return 'unknown member of a message';
  if (!/^ROLE_(USER|AGENT)$/.test(String(message['role']))) return 'role';
  return Array.isArray(message['parts']) ? firstFault(message['parts'], partFault) : 'parts is no list';
}

function artifactFault(artifact: unknown): string | undefined {
  if (!isObject(artifact) || unknownMember(artifact, MEMBERS.artifact))
    return 'unknown member of an artifact';
  return Array.isArray(artifact['parts']) ? firstFault(artifact['parts'], partFault) : 'parts is no list';
}

function partFault(part: unknown): string | undefined {
  if (!isObject(part) || unknownMember(part, MEMBERS.part)) return 'unknown member of a part';
  return typeof part['text'] === 'string' ? undefined : 'part without text';
}

/** The official codec drops what it does not know and converts what it can: what it writes again must be the same. */
function roundTripFault(task: Json): string | undefined {
  const again = canonical(Task.toJSON(Task.fromJSON(task)));
  return again === canonical(task) ? undefined : 'the SDK reads another task';
}

/** JSON with sorted keys, without what protobuf leaves out as default. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, child: unknown) => {
    if (!isObject(child)) return child;
    const members = Object.entries(child).filter(([name, member]) => !isDefault(name, member));
    return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

function isDefault(name: string, value: unknown): boolean {
  return (
    value === '' || value === undefined || (Array.isArray(value) && value.length === 0 && name !== 'list')
  );
}

function unknownMember(object: Json, known: readonly string[]): string | undefined {
  return Object.keys(object).find((name) => !known.includes(name));
}

function firstFault(values: unknown[], faultIn: (value: unknown) => string | undefined): string | undefined {
  return values.map(faultIn).find((fault) => fault !== undefined);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
