import type { AgentSkill } from '../directory/index.js';
import { defaultSkill, DEFAULT_SKILL_ID, type AgentProfile } from './agent-profile.js';

const TEXT_ONLY = ['text/plain'];

/**
 * The A2A 0.3 card (specification 0.3 §5.5, requirement P1). Only fields of that version's `AgentCard`.
 * @param rpcUrl where JSON-RPC requests go
 */
export function publishedCard(profile: AgentProfile, rpcUrl: string): Record<string, unknown> {
  return {
    protocolVersion: '0.3.0',
    name: profile.name,
    description: profile.description,
    url: rpcUrl,
    preferredTransport: 'JSONRPC',
    version: profile.version,
    capabilities: { streaming: true, pushNotifications: false, stateTransitionHistory: false },
    securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } },
    security: [{ bearerAuth: [] }],
    defaultInputModes: TEXT_ONLY,
    defaultOutputModes: TEXT_ONLY,
    skills: chatFirst(profile),
    supportsAuthenticatedExtendedCard: false,
  };
}

/** Every published agent chats, whatever else it says it can do; clients look for that skill in the first place. */
function chatFirst({ name, skills }: AgentProfile): AgentSkill[] {
  const chat = skills.find(({ id }) => id === DEFAULT_SKILL_ID) ?? defaultSkill(name);
  return [chat, ...skills.filter((skill) => skill !== chat)];
}
