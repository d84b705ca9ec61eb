import type { ReportOutcome, TaskReport } from '../tasks/index.js';

/** Where the reports of daemons go. */
export abstract class TaskReports {
  /** Resolves after the commit; rejects when nothing was stored. */
  abstract take(computerId: string, report: TaskReport): Promise<ReportOutcome>;
}

export abstract class TaskRefresher {
  abstract reconcile(computerId: string, limit: number): Promise<void>;
}
