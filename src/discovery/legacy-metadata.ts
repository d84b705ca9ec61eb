import type { AgentProfile } from './agent-profile.js';

/**
 * The descriptive metadata of before A2A (requirement C7). Not an A2A card: it has a `type` of its own, names no interface
 * and no protocol version, and points to the card.
 */
export function legacyMetadata(
  profile: AgentProfile,
  address: string,
  cardUrl: string,
): Record<string, unknown> {
  return {
    type: 'hello.agent-metadata',
    address,
    name: profile.name,
    description: profile.description,
    version: profile.version,
    skills: profile.skills,
    agentCardUrl: cardUrl,
  };
}
