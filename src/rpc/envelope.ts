import { isUtf8 } from 'node:buffer';
import { InvalidParamsError, InvalidRequestError, ParseError, type JsonRpcError } from '../a2a/index.js';
import { findUnsoundJson } from './json-bounds.js';

export type JsonRpcId = string | number | null;

export type Envelope =
  | { kind: 'request'; id: JsonRpcId; method: string; params: Record<string, unknown> }
  /** `method` is there when only the parameters are wrong: it decides in which form the error is sent. */
  | { kind: 'invalid'; id: JsonRpcId; error: JsonRpcError; method?: string };

/**
 * Classifies the body of a JSON-RPC request (requirement W3, specification §9.3).
 *
 * | body                                                            | answer                               |
 * |-----------------------------------------------------------------|--------------------------------------|
 * | not UTF-8, not JSON, empty (a byte order mark is skipped)       | -32700, id null                      |
 * | array (batch), `null`, text, number, boolean                    | -32600, id null                      |
 * | `id` absent, object, array, boolean, fraction, unsafe integer   | -32600, id null                      |
 * | `jsonrpc` not `"2.0"`, `method` absent, empty or no text        | -32600, the id                       |
 * | too deep, broken Unicode, number out of range                   | -32602 on `params`, the id           |
 * | `params` array, text, number, boolean                           | -32602 on `params`, the id           |
 * | `params` absent or `null`                                       | a request with empty params          |
 * | anything else; unknown members are ignored                      | a request                            |
 */
export function classifyEnvelope(body: Uint8Array): Envelope {
  const parsed = parseJson(body);
  if (!parsed) return { kind: 'invalid', id: null, error: new ParseError() };
  const request = parsed.value;
  if (!isObject(request)) {
    const what = Array.isArray(request) ? 'Batches are not supported' : 'The request is not a JSON object';
    return { kind: 'invalid', id: null, error: new InvalidRequestError(what) };
  }
  const { id, jsonrpc, method, params } = request;
  if (!isId(id)) {
    return {
      kind: 'invalid',
      id: null,
      error: new InvalidRequestError('id must be a string or a safe integer'),
    };
  }
  if (jsonrpc !== '2.0') {
    return { kind: 'invalid', id, error: new InvalidRequestError('jsonrpc must be "2.0"') };
  }
  if (typeof method !== 'string' || method === '') {
    return { kind: 'invalid', id, error: new InvalidRequestError('method must be a non-empty string') };
  }
  const problem = findUnsoundJson(request) ?? paramsProblem(params);
  if (problem !== undefined) {
    return {
      kind: 'invalid',
      id,
      error: new InvalidParamsError([{ field: 'params', description: problem }]),
      method,
    };
  }
  return { kind: 'request', id, method, params: isObject(params) ? params : {} };
}

const BYTE_ORDER_MARK = '\ufeff';

function parseJson(body: Uint8Array): { value: unknown } | undefined {
  if (!isUtf8(body)) return undefined;
  const { buffer, byteOffset, byteLength } = body;
  const text = Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
  try {
    return { value: JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text) as unknown };
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isId(value: unknown): value is JsonRpcId {
  return value === null || (typeof value === 'string' && value.isWellFormed()) || Number.isSafeInteger(value);
}

function paramsProblem(params: unknown): string | undefined {
  return params === undefined || params === null || isObject(params) ? undefined : 'must be an object';
}
