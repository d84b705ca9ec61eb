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
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, depth + 1)).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member, depth + 1)}`);
  return `{${members.join(',')}}`;
}
