export { LocalComputers } from './local-computers.service.js';
export type { LocalLink } from './local-link.js';
export { RelayJobExecutor } from './relay-job-executor.js';
export { RelaySessions } from './relay-sessions.registry.js';
export { RelayStatistics } from './relay-statistics.js';
export { REMOTE_EXECUTOR, RelayGatewayModule, RelaySessionsModule } from './relay.module.js';
export { RelaySettings } from './relay.settings.js';
