export {
  JobExecutor,
  type CancelOutcome,
  type JobOrder,
  type StatusAnswer,
  type SubmitOutcome,
} from './job-executor.js';
export {
  TaskStore,
  type AcceptOutcome,
  type ListQuery,
  type MessageQuota,
  type ReportOutcome,
  type TaskCursor,
  type TaskFilter,
} from './task-store.js';
export type { Destination, Task, TaskDraft, TaskReport, TaskScope, TaskWithHistory, Wire } from './task.js';
