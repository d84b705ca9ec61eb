import { Injectable } from '@nestjs/common';
import { RelaySessions, RelayStatistics } from '../../relay/index.js';
import { counter, gauge, histogram } from '../families.js';
import { Metrics } from '../metrics.js';

/** Links to daemons, and what is said over them. */
@Injectable()
export class RelayMetrics {
  constructor(
    private readonly metrics: Metrics,
    sessions: RelaySessions,
    private readonly statistics: RelayStatistics,
  ) {
    gauge(
      metrics.registry,
      {
        name: 'hello_relay_sessions',
        help: 'Links to daemons: open, and live ones that have introduced themselves',
        labelNames: ['state'],
      },
      () => Object.entries(sessions.counts).map(([state, count]) => [{ state }, count] as const),
    );
    this.registerLinks();
    this.registerCalls();
  }

  private registerLinks(): void {
    const { registry } = this.metrics;
    counter(
      registry,
      { name: 'hello_relay_sessions_opened_total', help: 'Links that daemons opened' },
      () => [[{}, this.statistics.opened]],
    );
    counter(
      registry,
      {
        name: 'hello_relay_sessions_ended_total',
        help: 'Links that ended, by reason',
        labelNames: ['reason'],
      },
      () => this.statistics.ends.entries().map(([reason, count]) => [{ reason }, count] as const),
    );
    histogram(
      registry,
      {
        name: 'hello_relay_acknowledge_duration_seconds',
        help: 'Time from the arrival of an update of a daemon to its acknowledgement, the commit included',
      },
      () => [[{}, this.statistics.acknowledgeSeconds]],
    );
  }

  /** `job.submit` is the handing over of a job. */
  private registerCalls(): void {
    const { registry } = this.metrics;
    const calls = () => [...this.statistics.calls];
    counter(
      registry,
      {
        name: 'hello_relay_calls_total',
        help: 'Requests to daemons by method and outcome',
        labelNames: ['method', 'outcome'],
      },
      () =>
        calls().flatMap(([method, { outcomes }]) =>
          outcomes.entries().map(([outcome, count]) => [{ method, outcome }, count] as const),
        ),
    );
    histogram(
      registry,
      {
        name: 'hello_relay_call_duration_seconds',
        help: 'Time until daemons answered, the wait for a place on the link included',
        labelNames: ['method'],
      },
      () => calls().map(([method, { seconds }]) => [{ method }, seconds] as const),
    );
  }
}
