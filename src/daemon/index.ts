export { checkDaemonConfig } from './check-daemon-config.js';
export type { DaemonConfig } from './daemon.config.js';
export type { DaemonLogger } from './daemon-logger.js';
export {
  DaemonConfigError,
  defaultDaemonConfig,
  loadDaemonConfig,
  parseDaemonConfig,
} from './load-daemon-config.js';
export { openLocalDaemon, type LocalDaemon, type LocalDaemonOptions } from './open-local-daemon.js';
export {
  RuntimeFailure,
  type Runtime,
  type RuntimeHost,
  type RuntimeJob,
  type RuntimeOutcome,
} from './runtimes/index.js';
export {
  UnusableAddressError,
  startDaemon,
  type DaemonEnd,
  type DaemonOptions,
  type RunningDaemon,
} from './start-daemon.js';
export { JobDatabaseError } from './storage/index.js';
