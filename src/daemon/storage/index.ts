export { ConversationStore, conversationKey, type ConversationKey, type Turn } from './conversation.store.js';
export type { TakenJob } from './job-record.js';
export { JobStore, type RunResult } from './job.store.js';
export { JobDatabaseError, databaseError } from './job-database-error.js';
export { openJobDatabase } from './open-job-database.js';
export { UnitQueue } from './unit-queue.js';
