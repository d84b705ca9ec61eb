import { hash } from 'node:crypto';
import { InvalidParamsError, type Message } from '../a2a/index.js';

/** Deeper metadata than this is no message that anyone means; the bound keeps the recursion safe. */
const MAX_DEPTH = 200;

/**
 * Hash of what a message says: role, parts, context as sent, metadata, and the task that it answers (requirement S5).
 * The order of keys does not matter, nor does the messageId.
 * @throws InvalidParamsError for metadata nested too deeply
 */
export function fingerprintOf(message: Message, contextId: string | undefined, taskId?: string): string {
  const content = canonicalJson(
    { role: message.role, parts: message.parts, metadata: message.metadata, contextId, taskId },
    0,
  );
  return hash('sha256', content, 'hex');
}

function canonicalJson(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) {
    throw new InvalidParamsError([
      { field: 'message', description: `must not be nested more than ${MAX_DEPTH} levels deep` },
    ]);
  }
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, depth + 1)).join(',')}]`;
  return canonicalObject(value as Record<string, unknown>, depth);
}

/** Without lists of members: it runs for every part of every message. */
function canonicalObject(value: Record<string, unknown>, depth: number): string {
  let members = '';
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member === undefined) continue;
    if (members !== '') members += ',';
    members += `${JSON.stringify(key)}:${canonicalJson(member, depth + 1)}`;
  }
  return `{${members}}`;
}
