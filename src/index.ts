// Start the service, or put it together yourself.
export { AppModule } from './app.module.js';
export { loadAppConfig, type AppConfig } from './config/index.js';
export { serve, type RunningServer } from './main.js';

// Answer more methods: decorated classes through Nest's own pipeline.
export { A2AHandler, A2AMethod, Call, RawParams, type A2ACall, type ProtocolVersion } from './rpc/index.js';
export { Caller } from './accounts/index.js';
export {
  A2AError,
  InvalidParamsError,
  JsonRpcError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from './a2a/index.js';

// Replace a part: ports with their rules.
export { AccountTokenVerifier } from './accounts/index.js';
export { AgentDirectory, type Agent } from './directory/index.js';
export { JobExecutor, TaskStore, type Task, type TaskScope } from './tasks/index.js';

// Run assistants: the daemon and its runtimes.
export {
  RuntimeFailure,
  startDaemon,
  type DaemonOptions,
  type RunningDaemon,
  type Runtime,
  type RuntimeHost,
  type RuntimeJob,
  type RuntimeOutcome,
} from './daemon/index.js';
