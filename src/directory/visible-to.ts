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
  return request.linkKeys.length === 1 && typeof key === 'string' && secretMatches(key, agent.linkKeyHash);
}
