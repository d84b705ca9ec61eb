import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AnswerDelivery } from './answer-delivery.service.js';
import { CancelTask } from './cancel-task.service.js';
import { ContinueTask } from './continue-task.service.js';
import { GetTask } from './get-task.service.js';
import { TaskHooks } from './hooks/task-hooks.service.js';
import { TaskListenerExplorer } from './hooks/task-listener.explorer.js';
import { JobCancellation } from './job-cancellation.service.js';
import { JobHandover } from './job-handover.service.js';
import { JobQuestions } from './job-questions.service.js';
import { JobReports } from './job-reports.service.js';
import { JobSubmissions } from './job-submissions.service.js';
import { ListTasks } from './list-tasks.service.js';
import { MessageAcceptance } from './message-acceptance.service.js';
import { MessageQuota, SettingMessageQuota } from './message-quota.js';
import { MessageTerms } from './message-terms.js';
import { OpenStreams } from './open-streams.service.js';
import { PageTokens } from './page-tokens.service.js';
import { PartialReplies } from './partial-replies.service.js';
import { SendMessage } from './send-message.service.js';
import { SigningKeys } from './store/signing-keys.service.js';
import { TaskCounts } from './store/task-counts.service.js';
import { TypeOrmTaskStore } from './store/typeorm-task.store.js';
import { TaskEvents } from './task-events.service.js';
import { TaskRefresher } from './task-refresher.service.js';
import { TaskReports } from './task-reports.service.js';
import { TaskStore } from './task-store.js';
import { TaskStreams } from './task-streams.service.js';
import { TaskWaits } from './task-waits.service.js';

const USE_CASES = [
  SendMessage,
  ContinueTask,
  GetTask,
  ListTasks,
  CancelTask,
  TaskStreams,
  TaskReports,
  JobReports,
  TaskRefresher,
];
const SHARED = [
  TaskEvents,
  TaskWaits,
  TaskCounts,
  { provide: TaskStore, useClass: TypeOrmTaskStore },
  { provide: MessageQuota, useClass: SettingMessageQuota },
];
const PARTS = [
  AnswerDelivery,
  JobCancellation,
  JobHandover,
  JobQuestions,
  JobSubmissions,
  MessageAcceptance,
  MessageTerms,
  OpenStreams,
  PageTokens,
  PartialReplies,
  SigningKeys,
  TaskHooks,
  TaskListenerExplorer,
];

/** The use cases of tasks; global, so that the wires and the relay share the one instance. */
@Module({})
export class TasksModule {
  /**
   * @param options.imports modules that provide `JobExecutor`, and whatever of `TaskSettings`, `Clock`, `IdGenerator`
   *   and the database module is not global
   */
  static register(options: Pick<ModuleMetadata, 'imports'>): DynamicModule {
    return {
      module: TasksModule,
      global: true,
      imports: [DiscoveryModule, ...(options.imports ?? [])],
      providers: [...USE_CASES, ...SHARED, ...PARTS],
      exports: [...USE_CASES, TaskEvents, TaskWaits, TaskCounts, OpenStreams, TaskStore],
    };
  }
}
