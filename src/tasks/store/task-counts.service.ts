import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { TASK_STATES, type TaskState } from '../../a2a/index.js';
import { READER } from '../../common/index.js';
import { IS_OPEN } from './task-row.js';

/** How many tasks there are, over all accounts; for metrics. */
@Injectable()
export class TaskCounts {
  constructor(@InjectDataSource(READER) private readonly reader: DataSource) {}

  /** Every state with its tasks on disk, those included that have expired and are about to be deleted. */
  async byState(): Promise<Map<TaskState, number>> {
    const rows = await this.reader.query<{ state: TaskState; total: number }[]>(
      `SELECT state, SUM(total) AS total FROM task_totals GROUP BY state
       UNION ALL SELECT state, COUNT(*) FROM tasks INDEXED BY tasks_open_scope WHERE ${IS_OPEN} GROUP BY state`,
    );
    const counts = new Map<TaskState, number>(TASK_STATES.map((state) => [state, 0]));
    for (const { state, total } of rows) counts.set(state, Number(total));
    return counts;
  }
}
