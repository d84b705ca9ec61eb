import type { AgentProfile } from './agent-profile.js';

const TEXT_ONLY = ['text/plain'];

/**
 * The A2A 1.0 card in ProtoJSON (specification §4.4.1, requirement C1). Only fields of the protocol's `AgentCard`; what is not
 * offered is said as `false` rather than left out, so that no client has to know the defaults.
 * @param rpcUrl where JSON-RPC requests go
 */
export function agentCard(profile: AgentProfile, rpcUrl: string): Record<string, unknown> {
  return {
    name: profile.name,
    description: profile.description,
    supportedInterfaces: [{ url: rpcUrl, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    version: profile.version,
    capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
    securitySchemes: { accountToken: { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT' } } },
    securityRequirements: [{ schemes: { accountToken: { list: [] } } }],
    defaultInputModes: TEXT_ONLY,
    defaultOutputModes: TEXT_ONLY,
    skills: profile.skills,
  };
}
