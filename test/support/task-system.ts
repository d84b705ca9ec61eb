import { Global, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Clock, IdGenerator, SystemClock, UuidGenerator } from '../../src/common/index.js';
import { DatabaseModule, DatabaseSettings } from '../../src/database/index.js';
import {
  CancelTask,
  ContinueTask,
  type ContinueRequest,
  GetTask,
  JobExecutor,
  ListTasks,
  OpenStreams,
  SendMessage,
  type SendRequest,
  TaskEvents,
  TaskRefresher,
  TaskReports,
  type TaskScope,
  TaskSettings,
  TaskStore,
  TaskStreams,
  TaskWaits,
  TasksModule,
} from '../../src/tasks/index.js';
import { ScriptedExecutor } from './scripted-executor.js';
import { storeFolder } from './store-file.js';

export const COMPUTER = 'computer-1';
export const SCOPE: TaskScope = { accountId: 'ada', agentId: 'desk' };

interface SystemOptions extends Partial<TaskSettings> {
  /** The file of an earlier system, to start on it again. */
  path?: string;
  clock?: Clock;
}

let messages = 0;

/** What a wire makes of a request. */
export function sending(change: Partial<SendRequest> = {}): SendRequest {
  messages += 1;
  const messageId = `message-${messages}`;
  return {
    scope: SCOPE,
    destination: { agentId: SCOPE.agentId, handle: 'desk', computerId: COMPUTER },
    message: { messageId, role: 'user', parts: [{ text: 'Hello' }] },
    retryKey: messageId,
    retryKeyField: 'message.messageId',
    interactive: false,
    returnImmediately: true,
    signal: new AbortController().signal,
    ...change,
  };
}

/** An answer as a wire makes it. */
export function answering(taskId: string, change: Partial<ContinueRequest> = {}): ContinueRequest {
  const { scope, message, retryKey, retryKeyField, returnImmediately, signal } = sending();
  return { scope, message, retryKey, retryKeyField, returnImmediately, signal, taskId, ...change };
}

/** The use cases on a real file, wired as the application does it, with a scripted computer at the edge. */
export async function startTaskSystem(options: SystemOptions = {}) {
  const folder = options.path === undefined ? storeFolder() : undefined;
  const path = options.path ?? folder?.path ?? '';
  const executor = new ScriptedExecutor();
  const settings: TaskSettings = {
    waitBudgetMs: options.waitBudgetMs ?? 20_000,
    messagesPerHour: options.messagesPerHour ?? 100_000,
    streamsPerAccount: options.streamsPerAccount ?? 1_000,
    retentionMs: options.retentionMs ?? 7 * 24 * 3_600_000,
  };
  const providers = [
    { provide: DatabaseSettings, useValue: { path } },
    { provide: TaskSettings, useValue: settings },
    { provide: Clock, useValue: options.clock ?? new SystemClock() },
    { provide: IdGenerator, useClass: UuidGenerator },
  ];

  @Global()
  @Module({ providers, exports: providers.map(({ provide }) => provide) })
  class SettingsModule {}

  @Module({ providers: [{ provide: JobExecutor, useValue: executor }], exports: [JobExecutor] })
  class ComputersModule {}

  const module = await Test.createTestingModule({
    imports: [
      SettingsModule,
      DatabaseModule.register(),
      TasksModule.register({ imports: [ComputersModule] }),
    ],
  }).compile();
  const app = await module.init();
  return {
    path,
    executor,
    send: app.get(SendMessage),
    get: app.get(GetTask),
    list: app.get(ListTasks),
    cancel: app.get(CancelTask),
    continue: app.get(ContinueTask),
    streams: app.get(TaskStreams),
    openStreams: app.get(OpenStreams),
    reports: app.get(TaskReports),
    refresher: app.get(TaskRefresher),
    events: app.get(TaskEvents),
    waits: app.get(TaskWaits),
    store: app.get(TaskStore),
    /** Ends as on SIGTERM. */
    stop: () => app.close(),
    remove: () => folder?.remove(),
  };
}

export type TaskSystem = Awaited<ReturnType<typeof startTaskSystem>>;

/** A promise and what settles it, for scripts. */
export function gate<T = void>() {
  let open: (value: T) => void = () => undefined;
  const passed = new Promise<T>((resolve) => (open = resolve));
  return { open, passed };
}

/** Waits until a condition holds, with a deadline; for what announces itself by no event. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('The condition did not come true in time');
    await new Promise((resolve) => setImmediate(resolve));
  }
}
