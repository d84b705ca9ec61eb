import { createHash } from 'node:crypto';
import type { SubmitParams } from '../../relay-protocol/index.js';

/**
 * What makes two submissions of one id the same job: everything that the runtime gets to see, but neither the times
 * nor the trace. The order of keys in metadata does not matter.
 * @throws RangeError for metadata that is nested too deep to be written as JSON
 */
export function fingerprintOf(order: SubmitParams): string {
  const { agent, contextId, caller, origin, interactive, message } = order;
  const content = { agent, contextId, caller, origin, interactive, message };
  return createHash('sha256').update(JSON.stringify(content, sortKeys)).digest('hex');
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
