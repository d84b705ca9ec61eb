import { Injectable } from '@nestjs/common';
import { isTerminal, type TaskState } from '../a2a/index.js';
import { Clock, StorageUnavailableError } from '../common/index.js';
import { MAX_REPLY_CODE_POINTS, MAX_STATUS_CODE_POINTS, cutText, publicExplanation } from './report-text.js';
import { PartialReplies, type PartialPiece } from './partial-replies.service.js';
import { TaskEvents } from './task-events.service.js';
import { type ReportOutcome, TaskStore } from './task-store.js';
import type { Task, TaskReport } from './task.js';

/** States whose text is an explanation and not a question or a progress note. */
const EXPLAINED: ReadonlySet<TaskState> = new Set<TaskState>(['failed', 'rejected', 'canceled']);

const EXPIRED = 'The task was not finished within the time for which tasks are kept';
const UNKNOWN_JOB = "The assistant's computer does not know this job; it was not run again";

/** The one way by which what a daemon says becomes the state of a task: store, commit, tell who waits. */
@Injectable()
export class TaskReports {
  constructor(
    private readonly store: TaskStore,
    private readonly events: TaskEvents,
    private readonly partials: PartialReplies,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes over a report; it is on disk when the promise settles, so it may be acknowledged then (requirement R4).
   * @param computerId the computer whose session brought it; reports of others' tasks change nothing (R7)
   * @param options.checked the report answers a question about the task
   * @throws StorageUnavailableError when nothing was changed; the daemon is to repeat the report
   */
  async take(
    computerId: string,
    report: TaskReport,
    options: { checked: boolean } = { checked: false },
  ): Promise<ReportOutcome> {
    const times = { nowMs: this.clock.now(), checked: options.checked };
    return this.#publish(await this.store.applyReport(computerId, presentable(report), times));
  }

  /**
   * Takes over what the daemon answered to a handover. The task is on disk and the daemon has the job: failing to note
   * that down makes the outcome uncertain, not failed.
   * @returns the task as it is stored then
   */
  async takeHandover(task: Task, report: TaskReport): Promise<Task> {
    try {
      const taken = await this.take(task.computerId, { ...report, taskId: task.id });
      return taken.kind === 'unknown' ? task : taken.task;
    } catch (error) {
      if (error instanceof StorageUnavailableError) return task;
      throw error;
    }
  }

  /** Partial output of a job; it is shown while it is made, and never stored. */
  takePartial(computerId: string, piece: PartialPiece): void {
    if (this.partials.add(computerId, piece)) {
      this.events.publish({ kind: 'partial', taskId: piece.taskId, computerId });
    }
  }

  /**
   * Fails a task that its daemon does not know (requirement R5).
   * @param question the task and its revision when the question was asked
   */
  async takeUnknown(
    computerId: string,
    question: { taskId: string; revision: number },
  ): Promise<ReportOutcome> {
    return this.#publish(await this.store.failUnknown(computerId, question, UNKNOWN_JOB, this.clock.now()));
  }

  /**
   * Fails open tasks whose time is over (requirement K2). They can no longer be read; who waits or streams is told.
   * @returns the tasks as they ended, at most `limit`
   */
  async endExpired(limit: number, nowMs: number): Promise<Task[]> {
    const ended = await this.store.endExpired(limit, EXPIRED, nowMs);
    for (const task of ended) this.#tell(task);
    return ended;
  }

  /**
   * Deletes tasks whose time is over (requirement K2).
   * @returns which, and where their jobs were; at most `limit`
   */
  async deleteExpired(limit: number, nowMs: number): Promise<{ taskId: string; computerId: string }[]> {
    const deleted = await this.store.deleteExpired(limit, nowMs);
    for (const { taskId } of deleted) this.events.announce({ kind: 'pruned', taskId });
    return deleted;
  }

  #publish(outcome: ReportOutcome): ReportOutcome {
    if (outcome.kind === 'applied') this.#tell(outcome.task);
    return outcome;
  }

  #tell(task: Task): void {
    this.events.publish({ kind: 'changed', taskId: task.id, task });
    if (isTerminal(task.state)) this.partials.drop(task);
  }
}

/** Bounds the texts of a report and makes them presentable (requirement S10). */
function presentable(report: TaskReport): TaskReport {
  const { taskId, state, revision } = report;
  const result: TaskReport = { taskId, state, revision };
  // A reply is the end of a job; a piece of one under way would stand as the whole.
  if (state === 'completed' && report.reply !== undefined) {
    const reply = cutText(report.reply, MAX_REPLY_CODE_POINTS);
    result.reply = reply.text;
    result.replyTruncated = reply.cut || report.replyTruncated === true;
  }
  if (report.statusText !== undefined && report.statusText !== '') {
    const text = EXPLAINED.has(state) ? publicExplanation(report.statusText) : report.statusText;
    if (text !== '') result.statusText = cutText(text, MAX_STATUS_CODE_POINTS).text;
  }
  return result;
}
