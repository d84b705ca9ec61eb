export { AgentUrls } from './agent-urls.js';
export { DiscoveryModule } from './discovery.module.js';
export { DiscoverySettings } from './discovery-settings.js';
