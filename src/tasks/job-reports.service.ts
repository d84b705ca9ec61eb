import { Injectable } from '@nestjs/common';
import type { PartialPiece } from './partial-replies.service.js';
import { faultOfReport } from './report-form.js';
import { TaskReports } from './task-reports.service.js';
import type { ReportOutcome } from './task-store.js';
import type { TaskReport } from './task.js';

/** How an executor of another kind tells what becomes of its jobs, as daemons do over the relay (docs/relay-protocol.md). */
@Injectable()
export class JobReports {
  constructor(private readonly reports: TaskReports) {}

  /**
   * Takes over what a job has come to; whoever waits for the task, or follows it, hears of it. It is on disk when the promise
   * settles. A report is safe to repeat, and should be until then.
   * @param computerId where the job runs, as its order said; a report of another computer's job changes nothing
   * @param report `revision` rises with each report of a job; the answer to the order has the first. A lower or equal one, and
   *   whatever comes after the end, changes nothing
   * @returns what became of it: `applied`, `ignored`, or `unknown` when there is no such task
   * @throws TypeError for a report of wrong form, naming the field
   * @throws UnavailableFailure when it cannot be stored at the moment; nothing was changed
   */
  async report(computerId: string, report: TaskReport): Promise<ReportOutcome> {
    const fault = faultOfReport(report);
    if (fault !== undefined) throw new TypeError(`JobReports.report: ${fault}`);
    return await this.reports.take(computerId, report);
  }

  /**
   * Shows a piece of the reply while it is made; never stored. The report of the end has the whole.
   * @param piece `sequence` begins with 0 and rises by one with each piece of a job
   */
  showPartial(computerId: string, piece: PartialPiece): void {
    this.reports.takePartial(computerId, piece);
  }
}
