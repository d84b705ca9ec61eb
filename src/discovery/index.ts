export { DiscoveryModule } from './discovery.module.js';
export { DiscoverySettings } from './discovery-settings.js';
