import type { EntityManager } from 'typeorm';
import { questionOf, type Task, type TaskReport } from '../task.js';
import type { ReportOutcome } from '../task-store.js';
import { FULL, IS_OPEN, type TaskRow, rowsOf, taskOf } from './task-row.js';

export interface ArrivedReport {
  computerId: string;
  report: TaskReport;
  times: { nowMs: number; checked: boolean };
}

/** The reports of one round as a table; their columns have names that no column of `tasks` has. */
const REPORTS = `(SELECT value ->> 0 AS of_task, value ->> 1 AS of_computer, value ->> 2 AS now, value ->> 3 AS checked,
  value ->> 4 AS new_revision, value ->> 5 AS new_state, value ->> 6 AS new_text, value ->> 7 AS new_reply,
  value ->> 8 AS new_truncated FROM json_each(?1)) AS reports`;
const IS_MEANT = 'id = of_task AND computer_id = of_computer AND expires_at > now';
const CHECKED_NOW = 'MAX(COALESCE(last_checked_at, 0), now)';

/** The status time is set when the status says something else than before; it never moves backwards. */
const APPLY = `UPDATE tasks SET
    status_at = CASE WHEN state IS new_state AND status_text IS new_text THEN status_at ELSE MAX(status_at, now) END,
    state = new_state, status_text = new_text, revision = new_revision, pending_answer = NULL,
    reply = COALESCE(new_reply, reply),
    reply_truncated = CASE WHEN new_reply IS NULL THEN reply_truncated ELSE new_truncated END,
    last_checked_at = CASE WHEN checked THEN ${CHECKED_NOW} ELSE last_checked_at END
  FROM ${REPORTS} WHERE ${IS_MEANT} AND revision < new_revision AND ${IS_OPEN} RETURNING ${FULL}`;
const RECORD_CHECK = `UPDATE tasks SET last_checked_at = ${CHECKED_NOW}
  FROM ${REPORTS} WHERE ${IS_MEANT} AND ${IS_OPEN} RETURNING ${FULL}`;
const UNCHANGED = `SELECT ${FULL} FROM ${REPORTS} CROSS JOIN tasks WHERE ${IS_MEANT}`;

/**
 * Takes over what daemons say, as if one report after another; the rules are those of `TaskStore.applyReport`. Of
 * racing ones the first applies, for one conditional statement looks and writes.
 */
export async function applyReports(
  manager: EntityManager,
  arrived: ArrivedReport[],
): Promise<ReportOutcome[]> {
  const outcomes = new Map<ArrivedReport, ReportOutcome>();
  for (const round of roundsOf(arrived)) {
    for (const [report, outcome] of await applyRound(manager, round)) outcomes.set(report, outcome);
  }
  return arrived.map((report) => outcomes.get(report) ?? { kind: 'unknown' });
}

/** A round has at most one report of a task; later ones of the same task come in later rounds. */
function roundsOf(arrived: ArrivedReport[]): ArrivedReport[][] {
  const rounds: ArrivedReport[][] = [];
  const seen = new Map<string, number>();
  for (const one of arrived) {
    const turn = seen.get(one.report.taskId) ?? 0;
    seen.set(one.report.taskId, turn + 1);
    (rounds[turn] ??= []).push(one);
  }
  return rounds;
}

async function applyRound(
  manager: EntityManager,
  round: ArrivedReport[],
): Promise<Map<ArrivedReport, ReportOutcome>> {
  const outcomes = new Map<ArrivedReport, ReportOutcome>();
  const settle = async (kind: 'applied' | 'ignored', reports: ArrivedReport[], sql: string) => {
    if (reports.length === 0) return;
    const rows = await rowsOf<TaskRow>(manager, sql, [JSON.stringify(reports.map(valuesOf))]);
    const tasks = new Map(rows.map((row) => [row.id, taskOf(row)]));
    for (const one of reports) {
      const task = tasks.get(one.report.taskId);
      if (task) outcomes.set(one, { kind, task });
    }
  };
  const isUnsettled = (one: ArrivedReport) => !outcomes.has(one);
  // The one statement that decides; what follows it only finds out what to answer.
  await settle('applied', round, APPLY);
  for (const applied of outcomes.values())
    if (applied.kind !== 'unknown') await addQuestion(manager, applied.task);
  await settle(
    'ignored',
    round.filter((one) => one.times.checked && isUnsettled(one)),
    RECORD_CHECK,
  );
  await settle('ignored', round.filter(isUnsettled), UNCHANGED);
  return outcomes;
}

function valuesOf({ computerId, report, times }: ArrivedReport): unknown[] {
  return [
    report.taskId,
    computerId,
    times.nowMs,
    times.checked,
    report.revision,
    report.state,
    report.statusText ?? null,
    report.reply ?? null,
    report.replyTruncated ?? false,
  ];
}

/**
 * A question is part of the conversation: it stays in the history when the state has moved on (requirement P6). One
 * that replaces an unanswered one takes its place, so that the history grows with the caller's messages alone.
 */
async function addQuestion(manager: EntityManager, task: Task): Promise<void> {
  if (task.state !== 'input_required' || task.statusText === undefined) return;
  await manager.query(
    `INSERT OR REPLACE INTO messages (task_id, position, body)
     SELECT ?1, MAX(position) + (json_extract(body, '$.role') = 'user'), ?2 FROM messages WHERE task_id = ?1`,
    [task.id, JSON.stringify(questionOf(task, task.statusText))],
  );
}
