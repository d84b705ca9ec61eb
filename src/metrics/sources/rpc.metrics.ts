import { Injectable } from '@nestjs/common';
import { RpcStatistics } from '../../rpc/index.js';
import { counter, histogram } from '../families.js';
import { Metrics } from '../metrics.js';

/** Calls of JSON-RPC methods. */
@Injectable()
export class RpcMetrics {
  constructor({ registry }: Metrics, calls: RpcStatistics) {
    counter(
      registry,
      {
        name: 'hello_rpc_requests_total',
        help: 'JSON-RPC calls by protocol version, method and outcome',
        labelNames: ['version', 'method', 'outcome'],
      },
      () =>
        calls
          .entries()
          .flatMap(({ version, method, statistics }) =>
            statistics.outcomes
              .entries()
              .map(([outcome, count]) => [{ version, method, outcome }, count] as const),
          ),
    );
    histogram(
      registry,
      {
        name: 'hello_rpc_duration_seconds',
        help: 'Time that JSON-RPC calls took, waits included',
        labelNames: ['version', 'method'],
      },
      () =>
        calls
          .entries()
          .map(({ version, method, statistics }) => [{ version, method }, statistics.seconds] as const),
    );
  }
}
