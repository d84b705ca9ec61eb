export { Backoff } from './backoff.js';
export type { FatalReason, LinkEnd } from './link-end.js';
export { RelayConnection } from './relay.connection.js';
