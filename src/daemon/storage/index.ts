export { ConversationStore, conversationKey, type ConversationKey, type Turn } from './conversation.store.js';
export type { TakenJob } from './job-record.js';
export { JobStore, type RunResult } from './job.store.js';
export { JobDatabaseInUseError, JobDatabaseTooNewError, openJobDatabase } from './open-job-database.js';
export { UnitQueue } from './unit-queue.js';
