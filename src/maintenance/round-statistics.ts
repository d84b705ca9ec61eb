import { Distribution, LONG_SECONDS, Tally } from '../common/index.js';

/** What is counted of one kind of round (requirement O2). */
export class RoundStatistics {
  readonly outcomes = new Tally(['ok', 'failed']);
  readonly seconds = new Distribution(LONG_SECONDS);
  /** Tasks that the rounds dealt with: deleted, ended, or asked about. */
  tasks = 0;

  /** Measures one round, which answers how many tasks it dealt with. */
  async measure(round: () => Promise<number>): Promise<void> {
    const startedAtMs = performance.now();
    let outcome: 'ok' | 'failed' = 'failed';
    try {
      this.tasks += await round();
      outcome = 'ok';
    } finally {
      this.outcomes.add(outcome);
      this.seconds.observe((performance.now() - startedAtMs) / 1000);
    }
  }
}
