import type { JobReport, JobState, SubmitParams } from '../../relay-protocol/index.js';

/** How a stored job looks in the table. */
export interface JobRow {
  seq: number;
  job_id: string;
  fingerprint: string;
  order_json: string;
  state: JobState;
  revision: number;
  acknowledged: number;
  in_line: 0 | 1;
  reply: string | null;
  reply_truncated: 0 | 1;
  status_text: string | null;
  checkpoint: string | null;
  input: string | null;
  input_message_id: string | null;
  deltas: number;
  updated_at: number;
  expires_at: number;
}

/** A job that leaves the line to be run. */
export interface TakenJob {
  order: SubmitParams;
  /** Set when the job goes on after a question: what the runtime left and what the caller answered. */
  resumed?: { checkpoint: unknown; answer: string };
  /** How many pieces of partial output were numbered before. */
  deltas: number;
  expiresAtMs: number;
}

/** A job in the words of the relay link. */
export function toReport(row: JobRow): JobReport {
  return {
    jobId: row.job_id,
    state: row.state,
    revision: row.revision,
    ...(row.reply === null ? {} : { reply: row.reply }),
    ...(row.reply_truncated ? { replyTruncated: true } : {}),
    ...(row.status_text === null ? {} : { statusText: row.status_text }),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}

export function toTakenJob(row: JobRow): TakenJob {
  const order = JSON.parse(row.order_json) as SubmitParams;
  const taken: TakenJob = { order, deltas: row.deltas, expiresAtMs: row.expires_at };
  if (row.input === null) return taken;
  const checkpoint: unknown = row.checkpoint === null ? undefined : JSON.parse(row.checkpoint);
  return { ...taken, resumed: { checkpoint, answer: row.input } };
}
