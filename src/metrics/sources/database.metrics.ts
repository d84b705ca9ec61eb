import { Injectable } from '@nestjs/common';
import { WriteQueue } from '../../common/index.js';
import { SqliteWriteQueue } from '../../database/index.js';
import { gauge, histogram } from '../families.js';
import { Metrics } from '../metrics.js';

/** The write queue, where there is one: another database may commit each write by itself. */
@Injectable()
export class DatabaseMetrics {
  constructor({ registry }: Metrics, queue: WriteQueue) {
    if (!(queue instanceof SqliteWriteQueue)) return;
    gauge(registry, { name: 'hello_write_queue_length', help: 'Writes that wait for their commit' }, () => [
      [{}, queue.length],
    ]);
    histogram(
      registry,
      { name: 'hello_commit_group_size', help: 'Writes that were committed together' },
      () => [[{}, queue.groupSizes]],
    );
    histogram(
      registry,
      { name: 'hello_commit_duration_seconds', help: 'Time that group commits took' },
      () => [[{}, queue.commitSeconds]],
    );
  }
}
