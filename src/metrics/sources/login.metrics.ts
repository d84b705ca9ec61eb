import { Injectable } from '@nestjs/common';
import { LoginFailures } from '../../common/index.js';
import { counter } from '../families.js';
import { Metrics } from '../metrics.js';

/** Credentials that were not valid. */
@Injectable()
export class LoginMetrics {
  constructor({ registry }: Metrics, failures: LoginFailures) {
    counter(
      registry,
      {
        name: 'hello_login_failures_total',
        help: 'Credentials that were not valid, by what was sent',
        labelNames: ['credential'],
      },
      () => failures.counts.entries().map(([credential, count]) => [{ credential }, count] as const),
    );
    counter(
      registry,
      {
        name: 'hello_login_failures_refused_total',
        help: 'Requests with credentials that were not valid that were refused with 429',
      },
      () => [[{}, failures.refused]],
    );
  }
}
