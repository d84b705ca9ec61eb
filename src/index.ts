// Run it: inside an application of yours, or as the service that it is.
export {
  HelloApiModule,
  type HelloApiAsyncOptions,
  type HelloApiOptions,
  type HelloApiParts,
} from './hello-api.module.js';
export type { PortProvider } from './port-providers.js';
export type { CoreOptions } from './core.modules.js';
export { AppModule, type AppExtensions } from './app.module.js';
export {
  loadAppConfig,
  ConfigError,
  type AppConfig,
  type Environment,
  type ModuleSettingName,
  type ModuleSettings,
} from './config/index.js';
export { serve, StartError, type RunningServer } from './main.js';

// Replace a part: ports, each with its rules, and the default that one may extend.
export { AccountTokenVerifier, JwtAccountTokenVerifier, type CallerAccount } from './accounts/index.js';
export {
  AgentDirectory,
  TypeOrmAgentDirectory,
  type Agent,
  type AgentSkill,
  type Computer,
  type Visibility,
} from './directory/index.js';
export {
  JobExecutor,
  JobReports,
  MessageQuota,
  SettingMessageQuota,
  TaskStore,
  TypeOrmTaskStore,
  type AcceptOutcome,
  type AnswerDraft,
  type AnswerOutcome,
  type CancelOutcome,
  type InputOutcome,
  type JobInput,
  type JobOrder,
  type ListQuery,
  type MessageLimit,
  type PartialPiece,
  type ReportOutcome,
  type StatusAnswer,
  type SubmitOutcome,
  type Task,
  type TaskCursor,
  type TaskDraft,
  type TaskFilter,
  type TaskReport,
  type TaskScope,
  type TaskWithHistory,
} from './tasks/index.js';
export { RelayJobExecutor } from './relay/index.js';
export { Clock, SystemClock, hashSecret } from './common/index.js';

// Add an assistant that runs in this process.
export {
  AnswerPending,
  Assistant,
  AssistantRejection,
  type AssistantContext,
  type AssistantJob,
  type AssistantOptions,
  type AssistantRunner,
} from './assistants/index.js';
export type { AgentInCode } from './directory/index.js';
export { RuntimeFailure } from './daemon/index.js';

// Listen to tasks.
export {
  OnTaskEvent,
  type TaskChange,
  type TaskEventKind,
  type TaskEventOf,
  type TaskPruned,
} from './tasks/index.js';

// Add a method: decorated classes through Nest's own pipeline, and the errors that they may throw.
export {
  A2AHandler,
  A2AMethod,
  Call,
  NestedParams,
  Params,
  RawParams,
  type A2ACall,
  type CallContext,
  type JsonRpcId,
  type ProtocolVersion,
} from './rpc/index.js';
export { Caller } from './accounts/index.js';
export {
  A2AError,
  InvalidParamsError,
  JsonRpcError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
  type FieldViolation,
  type Message,
  type TaskState,
  type TextPart,
} from './a2a/index.js';
export {
  HttpFailure,
  NotFoundFailure,
  RefusedFailure,
  TooManyRequestsFailure,
  UnauthorizedFailure,
  UnavailableFailure,
  type LogLevel,
} from './common/index.js';
