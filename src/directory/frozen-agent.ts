import type { Agent } from './agent-directory.js';

/**
 * An entry that is shared by everybody who asks for it, so that none of them can change it for others.
 * @param agent nobody else's yet: its lists are frozen in place
 */
export function frozenAgent(agent: Agent): Agent {
  return frozen(agent);
}

function frozen<T extends object>(value: T): T {
  for (const member of Object.values(value) as unknown[]) {
    if (typeof member === 'object' && member !== null) frozen(member);
  }
  return Object.freeze(value);
}
