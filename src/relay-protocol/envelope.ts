import { z } from 'zod';

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

/** Numbers past 2^53 would not come back as they were sent. */
const rpcId = z.union([z.string().max(128), z.number().int()]);
const envelope = z.looseObject({ jsonrpc: z.literal('2.0') });
const rpcError = z.object({
  code: z.number().int(),
  message: z.string(),
  data: z.object({ reason: z.string() }).optional().catch(undefined),
});

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
  const parsed = envelope.safeParse(json);
  if (!parsed.success) return undefined;
  const members = parsed.data;
  if ('method' in members) return readRequest(members);
  return 'result' in members || 'error' in members ? readAnswer(members) : undefined;
}

function readRequest(members: Record<string, unknown>): Frame {
  const { method } = members;
  const id = rpcId.optional().safeParse(members['id']);
  if (!id.success) {
    return { kind: 'invalid', id: null, fault: 'id: must be a whole number or a string of at most 128' };
  }
  if (typeof method === 'string') {
    return { kind: 'request', id: id.data, method, params: 'params' in members ? members['params'] : {} };
  }
  if (id.data === undefined) return { kind: 'ignored' };
  return { kind: 'invalid', id: id.data, fault: 'method: must be a string' };
}

function readAnswer(members: Record<string, unknown>): Frame {
  const { data: id } = rpcId.safeParse(members['id']);
  if (id === undefined) return { kind: 'ignored' };
  if (!('error' in members)) return { kind: 'result', id, result: members['result'] };
  const error = rpcError.safeParse(members['error']);
  if (!error.success || 'result' in members) return { kind: 'unreadable', id };
  const { code, message, data } = error.data;
  return { kind: 'error', id, code, message, reason: data?.reason };
}
