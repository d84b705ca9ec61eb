export { buildRuntimes, BuiltRuntimes, type GuardedRuntime } from './build-runtimes.js';
export { endLeftoverPrograms } from './leftover-programs.js';
export { cutStatusText, cutToCodePoints } from './reply-text.js';
export {
  RuntimeFailure,
  type Runtime,
  type RuntimeHost,
  type RuntimeJob,
  type RuntimeOutcome,
} from './runtime.js';
