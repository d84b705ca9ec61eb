import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Message } from '../../a2a/index.js';
import { GroupedReads, READER, WriteQueue } from '../../common/index.js';
import type { MessageLimit } from '../message-quota.js';
import type { AnswerDraft, Task, TaskDraft, TaskReport, TaskScope, TaskWithHistory } from '../task.js';
import {
  type AcceptOutcome,
  type AnswerOutcome,
  type ListQuery,
  type ReportOutcome,
  type TaskFilter,
  TaskStore,
} from '../task-store.js';
import { acceptTasks } from './accept-tasks.js';
import { acceptAnswer, pendingAnswerOf, withdrawAnswer } from './answer-task.js';
import { applyReports } from './apply-reports.js';
import { deleteExpired, endExpired, failUnknown, recordCancelRequest, withdraw } from './change-task.js';
import { type TaskQuestion, findHistories, findTasks } from './find-tasks.js';
import { findOpenTasks, haveOpenTasks } from './open-tasks.js';
import { countTasks, listTasks } from './read-tasks.js';
import { findByKey } from './retry-keys.js';
import { taskOf } from './task-row.js';

/** Tasks in a relational database: writes through the queue, reads on their own connection (design §4). */
@Injectable()
export class TypeOrmTaskStore extends TaskStore {
  readonly #tasks = new GroupedReads((questions: TaskQuestion[]) => findTasks(this.reader, questions));
  readonly #histories = new GroupedReads((questions: { taskId: string; length?: number | undefined }[]) =>
    findHistories(this.reader, questions),
  );
  readonly #haveOpen = new GroupedReads((computerIds: string[]) => haveOpenTasks(this.reader, computerIds));

  constructor(
    @InjectDataSource(READER) private readonly reader: DataSource,
    private readonly writes: WriteQueue,
  ) {
    super();
  }

  override accept(
    draft: TaskDraft,
    quota: MessageLimit,
    times: { nowMs: number; expiresAtMs: number },
  ): Promise<AcceptOutcome> {
    return this.writes.writeTogether(acceptTasks, { draft, quota, times });
  }

  override withdraw(taskId: string): Promise<boolean> {
    return this.writes.write((manager) => withdraw(manager, taskId));
  }

  override acceptAnswer(draft: AnswerDraft, quota: MessageLimit, nowMs: number): Promise<AnswerOutcome> {
    return this.writes.write((manager) => acceptAnswer(manager, draft, quota, nowMs));
  }

  override withdrawAnswer(task: Pick<Task, 'id' | 'pendingAnswer'>): Promise<boolean> {
    return this.writes.write((manager) => withdrawAnswer(manager, task));
  }

  override pendingAnswer(taskId: string): Promise<Message | undefined> {
    return pendingAnswerOf(this.reader, taskId);
  }

  override async findByRetryKey(
    scope: TaskScope,
    retryKey: string,
    nowMs: number,
  ): Promise<{ task: Task; fingerprint: string } | undefined> {
    const row = await findByKey(this.reader, { scope, retryKey }, nowMs);
    return row && { task: taskOf(row), fingerprint: row.fingerprint };
  }

  override async find(scope: TaskScope, taskId: string, nowMs: number): Promise<Task | undefined> {
    const found = await this.#tasks.ask({ scope, taskId, nowMs, historyLength: 0 });
    return found?.task;
  }

  override async findWithHistory(
    scope: TaskScope,
    taskId: string,
    historyLength: number | undefined,
    nowMs: number,
  ): Promise<TaskWithHistory | undefined> {
    const found = await this.#tasks.ask({ scope, taskId, nowMs, historyLength });
    return found && { ...found.task, history: found.history };
  }

  override async history(taskId: string, length?: number): Promise<Message[]> {
    return length !== undefined && length < 1 ? [] : await this.#histories.ask({ taskId, length });
  }

  override list(query: ListQuery): Promise<TaskWithHistory[]> {
    return listTasks(this.reader, query);
  }

  override count(scope: TaskScope, filter: TaskFilter, nowMs: number): Promise<number> {
    return countTasks(this.reader, scope, filter, nowMs);
  }

  override applyReport(
    computerId: string,
    report: TaskReport,
    times: { nowMs: number; checked: boolean },
  ): Promise<ReportOutcome> {
    return this.writes.writeTogether(applyReports, { computerId, report, times });
  }

  override failUnknown(
    computerId: string,
    question: { taskId: string; revision: number },
    statusText: string,
    nowMs: number,
  ): Promise<ReportOutcome> {
    return this.writes.write((manager) => failUnknown(manager, computerId, question, { statusText, nowMs }));
  }

  override recordCancelRequest(taskId: string, nowMs: number): Promise<Task | undefined> {
    return this.writes.write((manager) => recordCancelRequest(manager, taskId, nowMs));
  }

  override async openTasks(computerId: string, limit: number, nowMs: number): Promise<Task[]> {
    if (!(await this.#haveOpen.ask(computerId))) return [];
    return await findOpenTasks(this.reader, { computerId, limit, nowMs });
  }

  override endExpired(limit: number, statusText: string, nowMs: number): Promise<Task[]> {
    return this.writes.write((manager) => endExpired(manager, limit, { statusText, nowMs }));
  }

  override deleteExpired(limit: number, nowMs: number): Promise<{ taskId: string; computerId: string }[]> {
    return this.writes.write((manager) => deleteExpired(manager, limit, nowMs));
  }
}
