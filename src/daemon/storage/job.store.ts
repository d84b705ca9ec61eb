import {
  isFinished,
  type JobMessage,
  type JobReport,
  type SubmitParams,
} from '../../relay-protocol/index.js';
import type { Clock } from '../../common/index.js';
import { conversationKey, rememberTurns, type Turn } from './conversation.store.js';
import { toReport, toTakenJob, type JobRow, type TakenJob } from './job-record.js';
import type { SqlValue, Statements } from './sqlite-file.js';
import type { UnitQueue } from './unit-queue.js';

export type SubmitOutcome =
  { kind: 'kept'; report: JobReport } | { kind: 'conflict' } | { kind: 'queue_full' };
export type InputOutcome = { kind: 'taken' | 'repeated'; report: JobReport } | { kind: 'not_waiting' };
/** `running`: nothing was changed, the process must be stopped first. */
export type CancelOutcome = { kind: 'settled' | 'running'; report: JobReport } | { kind: 'unknown' };

/** How one run of a job ended. */
export interface RunResult {
  state: 'succeeded' | 'failed' | 'canceled' | 'rejected' | 'input_required';
  reply?: string;
  replyTruncated?: boolean;
  statusText?: string;
  /** JSON, handed back as a value when the job goes on. */
  checkpoint?: string;
  deltas: number;
  remember?: Turn[];
}

const INTERRUPTED = 'The assistant was restarted while this job was running; it was not run again.';

/**
 * The jobs on disk. Each change raises the job's revision by one and is committed when its promise settles.
 * A job past its expiry is as good as absent.
 */
export class JobStore {
  constructor(
    private readonly queue: UnitQueue,
    private readonly clock: Clock,
  ) {}

  /** Keeps a job, unless its id is known or `waitingLimit()` jobs stand in line. */
  submit(order: SubmitParams, fingerprint: string, waitingLimit: () => number): Promise<SubmitOutcome> {
    const orderJson = JSON.stringify(order);
    return this.queue.run(async (statements) => {
      const known = await this.find(statements, order.jobId);
      if (known) {
        if (known.fingerprint !== fingerprint) return { kind: 'conflict' };
        return { kind: 'kept', report: toReport(known) };
      }
      const [line] = await statements.all<{ n: number }>(
        `SELECT count(*) AS n FROM jobs WHERE in_line = 1 AND expires_at > ?`,
        [this.clock.now()],
      );
      if ((line?.n ?? 0) >= waitingLimit()) return { kind: 'queue_full' };
      // The answer to the submission tells revision 1, so that no update is owed for it.
      await statements.run(
        `INSERT INTO jobs (job_id, fingerprint, order_json, state, revision, acknowledged, in_line, updated_at, expires_at)
         VALUES (?, ?, ?, 'queued', 1, 1, 1, ?, ?)`,
        [order.jobId, fingerprint, orderJson, this.clock.now(), Date.parse(order.expiresAt)],
      );
      return { kind: 'kept', report: toReport(await this.mustFind(statements, order.jobId)) };
    });
  }

  /** The known ones of some jobs, in the order asked. */
  reports(jobIds: string[]): Promise<JobReport[]> {
    return this.queue.run(async (statements) => {
      const rows = await statements.all<JobRow>(
        `SELECT * FROM jobs WHERE job_id IN (SELECT value FROM json_each(?)) AND expires_at > ?`,
        [JSON.stringify(jobIds), this.clock.now()],
      );
      const byId = new Map(rows.map((row) => [row.job_id, row]));
      return jobIds.flatMap((jobId) => byId.get(jobId) ?? []).map(toReport);
    });
  }

  /**
   * Lets the first job in line run. `onTaken` is called before the commit, so that no other unit sees a running
   * job that nobody knows; when it answers false, or the returned promise rejects, the job stands in line as before.
   */
  takeNext(onTaken: (jobId: string) => boolean): Promise<TakenJob | undefined> {
    return this.queue.run(async (statements) => {
      const [row] = await statements.all<JobRow>(
        `SELECT * FROM jobs WHERE in_line = 1 AND expires_at > ? ORDER BY seq LIMIT 1`,
        [this.clock.now()],
      );
      if (!row || !onTaken(row.job_id)) return undefined;
      // An answered question made the job `running` already; starting it is no change that anybody can see.
      const risen = row.state === 'running' ? 0 : 1;
      await statements.run(
        `UPDATE jobs SET state = 'running', in_line = 0, input = NULL, status_text = NULL,
           revision = revision + ?, updated_at = max(updated_at, ?) WHERE seq = ?`,
        [risen, this.clock.now(), row.seq],
      );
      return toTakenJob(row);
    });
  }

  /** Puts a job that was taken, and of which nobody was told, back to where it stood in line. */
  putBack({ order, resumed }: TakenJob): Promise<void> {
    return this.queue.run(async (statements) => {
      await statements.run(
        `UPDATE jobs SET state = ?, in_line = 1, input = ?, revision = revision - ?
           WHERE job_id = ? AND state = 'running' AND in_line = 0`,
        resumed ? ['running', resumed.answer, 0, order.jobId] : ['queued', null, 1, order.jobId],
      );
    });
  }

  /** Stores how a run ended, together with what the conversation remembers of it. */
  finishRun(order: SubmitParams, result: RunResult): Promise<void> {
    return this.queue.run(async (statements) => {
      const changed = await this.change(statements, order.jobId, `state = 'running' AND in_line = 0`, {
        state: result.state,
        reply: result.reply ?? null,
        reply_truncated: result.replyTruncated ? 1 : 0,
        status_text: result.statusText ?? null,
        checkpoint: result.checkpoint ?? null,
        deltas: result.deltas,
      });
      if (changed && result.remember) {
        await rememberTurns(statements, conversationKey(order), result.remember, Date.parse(order.expiresAt));
      }
    });
  }

  /** Cancels a job that no process works on; a finished one stays as it is. */
  cancelIdle(jobId: string): Promise<CancelOutcome> {
    return this.queue.run(async (statements) => {
      const row = await this.find(statements, jobId);
      if (!row) return { kind: 'unknown' };
      if (row.state === 'running' && row.in_line === 0) return { kind: 'running', report: toReport(row) };
      if (isFinished(row.state)) return { kind: 'settled', report: toReport(row) };
      await this.change(statements, jobId, '1', {
        state: 'canceled',
        in_line: 0,
        status_text: null,
        input: null,
        checkpoint: null,
      });
      return { kind: 'settled', report: toReport(await this.mustFind(statements, jobId)) };
    });
  }

  /** Takes the answer to a job's question; the job goes on when it is its turn. The same answer again changes nothing. */
  giveInput(jobId: string, message: JobMessage): Promise<InputOutcome> {
    return this.queue.run(async (statements) => {
      const row = await this.find(statements, jobId);
      if (!row) return { kind: 'not_waiting' };
      if (row.input_message_id === message.messageId) return { kind: 'repeated', report: toReport(row) };
      if (row.state !== 'input_required') return { kind: 'not_waiting' };
      await this.change(statements, jobId, '1', {
        state: 'running',
        in_line: 1,
        status_text: null,
        input: message.text,
        input_message_id: message.messageId,
      });
      return { kind: 'taken', report: toReport(await this.mustFind(statements, jobId)) };
    });
  }

  /** Deletes jobs that nobody will ask about; those at work stay until they end. */
  forget(jobIds: string[]): Promise<void> {
    return this.queue.run(async (statements) => {
      await statements.run(
        `DELETE FROM jobs WHERE job_id IN (SELECT value FROM json_each(?)) AND NOT (state = 'running' AND in_line = 0)`,
        [JSON.stringify(jobIds)],
      );
    });
  }

  /** The next job behind `afterSeq` with a change that the API has not acknowledged. */
  nextUnacknowledged(afterSeq: number): Promise<{ seq: number; report: JobReport } | undefined> {
    return this.queue.run(async (statements) => {
      const [row] = await statements.all<JobRow>(
        `SELECT * FROM jobs WHERE revision > acknowledged AND seq > ? AND expires_at > ? ORDER BY seq LIMIT 1`,
        [afterSeq, this.clock.now()],
      );
      return row && { seq: row.seq, report: toReport(row) };
    });
  }

  /** A job's report, if the API has yet to acknowledge it. */
  unacknowledged(jobId: string): Promise<JobReport | undefined> {
    return this.queue.run(async (statements) => {
      const row = await this.find(statements, jobId);
      return row && row.revision > row.acknowledged ? toReport(row) : undefined;
    });
  }

  /** @param known false when the API has no task for the job: a finished one may then go */
  acknowledge(jobId: string, revision: number, known: boolean): Promise<void> {
    return this.queue.run(async (statements) => {
      await statements.run(
        `UPDATE jobs SET acknowledged = max(acknowledged, min(?, revision)) WHERE job_id = ?`,
        [revision, jobId],
      );
      if (known) return;
      await statements.run(
        `DELETE FROM jobs WHERE job_id = ? AND revision <= acknowledged
           AND state IN ('succeeded', 'failed', 'canceled', 'rejected')`,
        [jobId],
      );
    });
  }

  /** Replaces a result that no frame can carry by a failure, unless the API has it after all. */
  failUnsendable(jobId: string, revision: number, statusText: string): Promise<boolean> {
    return this.queue.run((statements) =>
      this.change(statements, jobId, `revision = ${revision} AND acknowledged < revision`, {
        state: 'failed',
        in_line: 0,
        reply: null,
        reply_truncated: 0,
        status_text: statusText,
      }),
    );
  }

  /**
   * Fails what was at work when the last process ended (requirement R6). Queued jobs and those that wait for an
   * answer are whole on disk and go on.
   * @returns the ids of the failed ones
   */
  failInterrupted(): Promise<string[]> {
    return this.queue.run(async (statements) => {
      const rows = await statements.all<{ job_id: string }>(
        `SELECT job_id FROM jobs WHERE state = 'running' AND in_line = 0`,
      );
      for (const row of rows) {
        await this.change(statements, row.job_id, '1', {
          state: 'failed',
          status_text: INTERRUPTED,
          checkpoint: null,
        });
      }
      return rows.map((row) => row.job_id);
    });
  }

  /** @returns how many jobs were deleted; at most `limit`, never one at work */
  deleteExpired(limit: number): Promise<number> {
    return this.queue.run((statements) =>
      statements.run(
        `DELETE FROM jobs WHERE seq IN (SELECT seq FROM jobs WHERE expires_at <= ?
           AND NOT (state = 'running' AND in_line = 0) LIMIT ?)`,
        [this.clock.now(), limit],
      ),
    );
  }

  private async change(
    statements: Statements,
    jobId: string,
    condition: string,
    fields: Record<string, SqlValue>,
  ): Promise<boolean> {
    const assignments = Object.keys(fields).map((column) => `${column} = ?`);
    const changed = await statements.run(
      `UPDATE jobs SET ${assignments.join(', ')}, revision = revision + 1, updated_at = max(updated_at, ?)
       WHERE job_id = ? AND ${condition}`,
      [...Object.values(fields), this.clock.now(), jobId],
    );
    return changed > 0;
  }

  private async find(statements: Statements, jobId: string): Promise<JobRow | undefined> {
    const [row] = await statements.all<JobRow>(`SELECT * FROM jobs WHERE job_id = ? AND expires_at > ?`, [
      jobId,
      this.clock.now(),
    ]);
    return row;
  }

  private async mustFind(statements: Statements, jobId: string): Promise<JobRow> {
    const [row] = await statements.all<JobRow>(`SELECT * FROM jobs WHERE job_id = ?`, [jobId]);
    if (!row) throw new Error(`job ${jobId} vanished inside its own transaction`);
    return row;
  }
}
