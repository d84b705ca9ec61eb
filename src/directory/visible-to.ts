import { secretMatches } from '../common/index.js';
import type { AccessRequest, Agent } from './agent-directory.js';

/**
 * Whether a request may see an assistant through its 1.0 address (requirements C4, C5). A `false` must be
 * answered exactly as an address that does not exist.
 */
export function visibleTo(
  agent: Pick<Agent, 'accountId' | 'visibility' | 'linkKeyHash'>,
  request: AccessRequest,
): boolean {
  if (agent.visibility === 'public') return true;
  if (request.caller !== undefined && request.caller === agent.accountId) return true;
  if (agent.visibility !== 'link' || agent.linkKeyHash === undefined) return false;
  const [key] = request.linkKeys;
  return request.linkKeys.length === 1 && key !== undefined && secretMatches(key, agent.linkKeyHash);
}

/**
 * Every `k` of a parsed query. Parsers may make lists and objects of repeated or bracketed names: whatever is not
 * one text is wrong as a key, and must not turn into a missing or a right one (B53).
 */
export function linkKeysOf(query: Readonly<Record<string, unknown>>): string[] {
  const { k } = query;
  if (k === undefined) return [];
  const values: unknown[] = Array.isArray(k) ? k : [k];
  return values.map((value) => (typeof value === 'string' ? value : ''));
}
