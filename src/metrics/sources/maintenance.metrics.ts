import { Injectable } from '@nestjs/common';
import { MaintenanceSchedule } from '../../maintenance/index.js';
import { counter, histogram } from '../families.js';
import { Metrics } from '../metrics.js';

/** Rounds of pruning and reconciliation. */
@Injectable()
export class MaintenanceMetrics {
  constructor({ registry }: Metrics, schedule: MaintenanceSchedule) {
    const rounds = Object.entries(schedule.rounds);
    counter(
      registry,
      {
        name: 'hello_maintenance_rounds_total',
        help: 'Rounds of pruning and reconciliation by outcome',
        labelNames: ['round', 'outcome'],
      },
      () =>
        rounds.flatMap(([round, { outcomes }]) =>
          outcomes.entries().map(([outcome, count]) => [{ round, outcome }, count] as const),
        ),
    );
    counter(
      registry,
      {
        name: 'hello_maintenance_tasks_total',
        help: 'Tasks that were pruned, or asked about or ended by reconciliation',
        labelNames: ['round'],
      },
      () => rounds.map(([round, { tasks }]) => [{ round }, tasks] as const),
    );
    histogram(
      registry,
      {
        name: 'hello_maintenance_round_duration_seconds',
        help: 'Time that rounds of pruning and reconciliation took',
        labelNames: ['round'],
      },
      () => rounds.map(([round, { seconds }]) => [{ round }, seconds] as const),
    );
  }
}
