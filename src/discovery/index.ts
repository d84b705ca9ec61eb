export { AgentCardController } from './agent-card.controller.js';
export { AgentUrls } from './agent-urls.js';
export { AGENT_DOCUMENT_CONTROLLERS, DiscoveryModule } from './discovery.module.js';
export { DiscoverySettings } from './discovery-settings.js';
export { PublishedCardController } from './published-card.controller.js';
