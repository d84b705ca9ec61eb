import type { Message, TaskState } from '../a2a/index.js';
import type { MessageLimit } from './message-quota.js';
import type { AnswerDraft, Task, TaskDraft, TaskReport, TaskScope, TaskWithHistory } from './task.js';

export type AcceptOutcome =
  | { kind: 'accepted'; task: Task }
  /** The retry key is known with the same fingerprint: the task of then. */
  | { kind: 'repeated'; task: Task }
  /** The retry key is known with another fingerprint. */
  | { kind: 'conflict' }
  | { kind: 'unknown_context' }
  /** The account used up its messages; `retryAfterMs` until the oldest one leaves the window. */
  | { kind: 'quota_exceeded'; retryAfterMs: number };

export type AnswerOutcome =
  /** The answer is in the history, and marked as on its way. */
  | { kind: 'accepted'; task: Task }
  | { kind: 'repeated'; task: Task }
  | { kind: 'conflict' }
  | { kind: 'not_found' }
  /** The task does not ask for anything, or has been answered already. */
  | { kind: 'not_waiting'; task: Task }
  /** Another message of the task has the same messageId. */
  | { kind: 'message_id_used' }
  | { kind: 'quota_exceeded'; retryAfterMs: number };

export type ReportOutcome =
  /** The report was newer and is now on disk. */
  | { kind: 'applied'; task: Task }
  /** The task exists; it is terminal, or has this revision or a higher one. Nothing was changed. */
  | { kind: 'ignored'; task: Task }
  /** No such task at this computer. Nothing was changed. */
  | { kind: 'unknown' };

export interface TaskFilter {
  contextId?: string;
  state?: TaskState;
  /** Inclusive lower bound of the status time. */
  statusSinceMs?: number;
}

/** Place of a task in the order of lists: newest status first, then newest id. */
export interface TaskCursor {
  statusAtMs: number;
  id: string;
}

export interface ListQuery {
  scope: TaskScope;
  filter: TaskFilter;
  /** Only tasks strictly behind this place. */
  after?: TaskCursor;
  limit: number;
  /** Messages a task: absent = none, n = the last n. */
  historyLength?: number;
  /** Replies are long; a list without artifacts does not read them. */
  includeReply: boolean;
  nowMs: number;
}

/**
 * Where tasks are kept. The rules, for any implementation; `TASK_STORE_RULES` of `hello-api/testing` proves them one by one:
 *
 * - A promise settles after what it did is durable; a rejected one changed nothing (K4).
 * - Calls that arrive together are decided upon as if they came one after another.
 * - Callers' reads and writes carry the whole scope; a task of another scope is as good as absent (H4).
 * - A task whose `expiresAtMs` is not after `nowMs` is absent for every read and change that has a `nowMs`, and its retry
 *   keys are free, those of its answers as well (K2).
 * - A terminal state never changes, nor do its time, reply and explanation (G5). A change looks and
 *   writes as one, so that of two racing ones exactly one applies.
 * - `statusAtMs` and `lastCheckedAtMs` of a task never decrease, also when the clock does.
 * - Ids, keys and names are compared exactly, and messages come back as they were (W8).
 * - What is returned belongs to the caller alone, also when several read the same at once.
 */
export abstract class TaskStore {
  /**
   * Takes a task, its context, its message and its retry key, all or nothing. Of any number of concurrent calls with
   * one key exactly one gets `accepted` (S5). The checks come in this order: retry key, context, quota. Quota
   * counts the account's tasks and answers of the window over all destinations (S9), exactly, also under concurrency, and those
   * of the future as well, should the clock have been set back. What was withdrawn or not accepted does not count.
   * @throws when the draft's id is that of another task
   */
  abstract accept(
    draft: TaskDraft,
    quota: MessageLimit,
    times: { nowMs: number; expiresAtMs: number },
  ): Promise<AcceptOutcome>;

  /**
   * Undoes `accept` for a job that was certainly not handed over: only while revision is 0 and the state is submitted (S8).
   * Nothing of the task is left, its context included when it was the first one.
   * @returns whether this call did it
   */
  abstract withdraw(taskId: string): Promise<boolean>;

  /**
   * Takes the answer to a task's question, all or nothing (requirement P6). Of concurrent answers to one question
   * exactly one is accepted. Retry keys are those of `accept`, and the quota counts answers as well. The checks come in
   * this order: retry key, task, messageId, quota. But for the history and `pendingAnswer` the task stays as it is.
   */
  abstract acceptAnswer(draft: AnswerDraft, quota: MessageLimit, nowMs: number): Promise<AnswerOutcome>;

  /**
   * Undoes `acceptAnswer` for an answer that was certainly not handed over: only while this one is marked as on its way.
   * @returns whether this call did it
   */
  abstract withdrawAnswer(task: Pick<Task, 'id' | 'pendingAnswer'>): Promise<boolean>;

  /** The answer that is on its way to the daemon, if there is one. */
  abstract pendingAnswer(taskId: string): Promise<Message | undefined>;

  /** By the key of its first message or of an answer; the fingerprint is that of the message sent under the key. */
  abstract findByRetryKey(
    scope: TaskScope,
    retryKey: string,
    nowMs: number,
  ): Promise<{ task: Task; fingerprint: string } | undefined>;

  abstract find(scope: TaskScope, taskId: string, nowMs: number): Promise<Task | undefined>;

  /**
   * The task with the messages that it has at the same moment.
   * @param historyLength absent = all, n = the last n
   */
  abstract findWithHistory(
    scope: TaskScope,
    taskId: string,
    historyLength: number | undefined,
    nowMs: number,
  ): Promise<TaskWithHistory | undefined>;

  /** The last `length` messages of a task, oldest first; all of them when `length` is absent. */
  abstract history(taskId: string, length?: number): Promise<Message[]>;

  /** Tasks in list order (G3), at most `limit`. A place in the order stays one when its task is gone. */
  abstract list(query: ListQuery): Promise<TaskWithHistory[]>;

  /** How many tasks match, without walking the caller's whole history when only the state is filtered. */
  abstract count(scope: TaskScope, filter: TaskFilter, nowMs: number): Promise<number>;

  /**
   * Takes over what the daemon of `computerId` says, if its revision is higher than the one known and the task is not
   * terminal (R4, R7). `checked`: the report answers a question, so `lastCheckedAtMs` of an open task is
   * set as well, whether or not anything else changed. A report without a reply leaves the one that is known; the explanation is
   * that of the report, or none. A question (`questionOf`) is added to the history, in place of one that nobody answered; a
   * report that applies settles an answer that was on its way (P6).
   */
  abstract applyReport(
    computerId: string,
    report: TaskReport,
    times: { nowMs: number; checked: boolean },
  ): Promise<ReportOutcome>;

  /**
   * Fails a task of which its daemon knows nothing (R5), unless a report arrived since the question was asked. It counts
   * as a check, and settles an answer that was on its way.
   * @param revision the task's revision when the question was asked
   */
  abstract failUnknown(
    computerId: string,
    question: { taskId: string; revision: number },
    statusText: string,
    nowMs: number,
  ): Promise<ReportOutcome>;

  /** Records that a stop was asked for, and nothing else; the first time stands. Terminal tasks are left alone. */
  abstract recordCancelRequest(taskId: string, nowMs: number): Promise<Task | undefined>;

  /** Open tasks of a computer, least recently checked first (R5). */
  abstract openTasks(computerId: string, limit: number, nowMs: number): Promise<Task[]>;

  /**
   * Fails up to `limit` open tasks that have expired (K2), oldest first, and settles answers that were on their way. They stay
   * absent for every read.
   */
  abstract endExpired(limit: number, statusText: string, nowMs: number): Promise<Task[]>;

  /**
   * Deletes up to `limit` expired tasks with everything that belongs to them (K2), and no open one: somebody may wait
   * for it.
   * @returns what was deleted, with the computers that may forget them
   */
  abstract deleteExpired(limit: number, nowMs: number): Promise<{ taskId: string; computerId: string }[]>;
}
