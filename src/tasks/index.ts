export { CancelTask } from './cancel-task.service.js';
export { ContinueTask, type ContinueRequest } from './continue-task.service.js';
export { OnTaskEvent } from './hooks/on-task-event.decorator.js';
export type { TaskChange, TaskEventKind, TaskEventOf, TaskPruned } from './hooks/task-hook-events.js';
export { GetTask } from './get-task.service.js';
export {
  JobExecutor,
  type CancelOutcome,
  type InputOutcome,
  type JobInput,
  type JobOrder,
  type StatusAnswer,
  type SubmitOutcome,
} from './job-executor.js';
export { JobReports } from './job-reports.service.js';
export { ListTasks, type ListRequest, type TaskPage } from './list-tasks.service.js';
export { OpenStreams } from './open-streams.service.js';
export { SendMessage, type SendRequest } from './send-message.service.js';
export { TASK_ENTITIES } from './store/entities.js';
export { destinationOf, originOf, scopeOf, type TaskCall } from './task-call.js';
export { TaskCounts } from './store/task-counts.service.js';
export { TypeOrmTaskStore } from './store/typeorm-task.store.js';
export { TaskEvents, type TaskEvent, type TaskListener } from './task-events.service.js';
export { TaskRefresher } from './task-refresher.service.js';
export { faultOfReport } from './report-form.js';
export { TaskReports } from './task-reports.service.js';
export { TaskSettings } from './task-settings.js';
export {
  TaskStore,
  type AcceptOutcome,
  type AnswerOutcome,
  type ListQuery,
  type ReportOutcome,
  type TaskCursor,
  type TaskFilter,
} from './task-store.js';
export type { PartialPiece } from './partial-replies.service.js';
export { MessageQuota, SettingMessageQuota, type MessageLimit } from './message-quota.js';
export type { TaskStreamEvent } from './task-stream.js';
export { TaskStreams } from './task-streams.service.js';
export { replyIdOf, replyMetadataOf, statusMessageOf, taskMetadataOf, timestampOf } from './task-words.js';
export { TaskWaits } from './task-waits.service.js';
export type {
  AnswerDraft,
  Destination,
  Task,
  TaskDraft,
  TaskReport,
  TaskScope,
  TaskWithHistory,
} from './task.js';
export { isSettled } from './task.js';
export { TasksModule } from './tasks.module.js';
