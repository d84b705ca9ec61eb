import { Injectable } from '@nestjs/common';
import { TaskCounts, TaskEvents, TaskWaits } from '../../tasks/index.js';
import { counter, gauge, type Series } from '../families.js';
import { Metrics } from '../metrics.js';

/** How long a count of all tasks is good for: whoever asks more often gets the last one. */
const COUNT_AGE_MS = 5_000;

/** Tasks on disk and callers who wait for them. */
@Injectable()
export class TaskMetrics {
  private counted: { atMs: number; series: Promise<Series<number>[]> } | undefined;

  constructor(
    { registry }: Metrics,
    private readonly counts: TaskCounts,
    waits: TaskWaits,
    events: TaskEvents,
  ) {
    gauge(registry, { name: 'hello_tasks', help: 'Tasks on disk by state', labelNames: ['state'] }, () =>
      this.tasksByState(),
    );
    gauge(registry, { name: 'hello_waits', help: 'Callers who wait for the end of a task' }, () => [
      [{}, waits.waiting],
    ]);
    gauge(
      registry,
      { name: 'hello_task_subscriptions', help: 'Waits and event streams that listen for changes of tasks' },
      () => [[{}, events.listenerCount]],
    );
    counter(
      registry,
      { name: 'hello_waits_ended_total', help: 'Waits by what ended them', labelNames: ['end'] },
      () => waits.ends.entries().map(([end, count]) => [{ end }, count] as const),
    );
  }

  /** A database that cannot be read leaves the states out; the other metrics are needed then most of all. */
  private tasksByState(): Promise<Series<number>[]> {
    const nowMs = performance.now();
    if (!this.counted || nowMs - this.counted.atMs > COUNT_AGE_MS) {
      const series = this.counts
        .byState()
        .then((counts) => [...counts].map(([state, total]): Series<number> => [{ state }, total]))
        .catch(() => []);
      this.counted = { atMs: nowMs, series };
    }
    return this.counted.series;
  }
}
