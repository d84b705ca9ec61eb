export type RpcId = string | number;

/** One text frame of the link, as far as it concerns the envelope. What is not even that closes the link. */
export type Frame =
  /** `id` is absent from a notification. `params` is whatever came; each method says what it takes. */
  | { kind: 'request'; id: RpcId | undefined; method: string; params: unknown }
  /** A request that cannot be answered by a method; `id` is null when it had none that can be repeated. */
  | { kind: 'invalid'; id: RpcId | null; fault: string }
  | { kind: 'result'; id: RpcId; result: unknown }
  | { kind: 'error'; id: RpcId; code: number; message: string; reason: string | undefined }
  /** An answer of another form, so that its request stays unanswered. */
  | { kind: 'unreadable'; id: RpcId }
  /** A notification or an answer that belongs to nothing. */
  | { kind: 'ignored' };

const MAX_ID_LENGTH = 128;

/**
 * Reads the JSON-RPC 2.0 envelope of a text frame (docs/relay-protocol.md, "What is no message of the protocol").
 * @returns `undefined` for a text that is no JSON object of version 2.0 with a method, result or error
 */
export function parseFrame(text: string): Frame | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(json) || json['jsonrpc'] !== '2.0') return undefined;
  const members = json;
  if ('method' in members) return readRequest(members);
  return 'result' in members || 'error' in members ? readAnswer(members) : undefined;
}

function readRequest(members: Record<string, unknown>): Frame {
  const { method, id } = members;
  if (id !== undefined && !isId(id)) {
    return { kind: 'invalid', id: null, fault: 'id: must be a whole number or a string of at most 128' };
  }
  if (typeof method === 'string') {
    return { kind: 'request', id, method, params: 'params' in members ? members['params'] : {} };
  }
  if (id === undefined) return { kind: 'ignored' };
  return { kind: 'invalid', id, fault: 'method: must be a string' };
}

function readAnswer(members: Record<string, unknown>): Frame {
  const { id, error } = members;
  if (!isId(id)) return { kind: 'ignored' };
  if (!('error' in members)) return { kind: 'result', id, result: members['result'] };
  if (!isObject(error) || 'result' in members) return { kind: 'unreadable', id };
  const { code, message, data } = error;
  if (!Number.isSafeInteger(code) || typeof message !== 'string') return { kind: 'unreadable', id };
  const reason = isObject(data) && typeof data['reason'] === 'string' ? data['reason'] : undefined;
  return { kind: 'error', id, code: code as number, message, reason };
}

/** Numbers past 2^53 would not come back as they were sent. */
function isId(value: unknown): value is RpcId {
  return typeof value === 'string' ? value.length <= MAX_ID_LENGTH : Number.isSafeInteger(value);
}

/** By hand, as the rest: every frame passes here, and a schema made a tenth of what a report costs. */
function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
