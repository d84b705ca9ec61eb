import { Injectable } from '@nestjs/common';
import { JsonRpcError } from '../a2a/index.js';
import { Distribution, HttpFailure, LONG_SECONDS, Tally } from '../common/index.js';
import type { ProtocolVersion } from './a2a-handler.decorator.js';
import { foreseenInCall } from './error.mapper.js';

/**
 * How a call ended: `invalid` is the request's form, `refused` an error of A2A or of access, `rate_limited` 429,
 * `unavailable` 503, `timeout` 504, `internal_error` what nobody foresaw.
 */
export const RPC_OUTCOMES = [
  'ok',
  'invalid',
  'refused',
  'rate_limited',
  'unavailable',
  'timeout',
  'internal_error',
] as const;
export type RpcOutcome = (typeof RPC_OUTCOMES)[number];

const JSON_RPC_FORM = new Set([-32700, -32600, -32601, -32602]);
const INTERNAL = -32603;
const OF_STATUS: Record<number, RpcOutcome> = { 429: 'rate_limited', 503: 'unavailable', 504: 'timeout' };

/** The calls of one method: how many ended how, and how long they took. */
export class MethodStatistics {
  readonly outcomes = new Tally<RpcOutcome>(RPC_OUTCOMES);
  readonly seconds = new Distribution(LONG_SECONDS);

  /** @param startedAtMs of `performance.now()` */
  record(outcome: RpcOutcome, startedAtMs: number): void {
    this.outcomes.add(outcome);
    this.seconds.observe((performance.now() - startedAtMs) / 1000);
  }
}

/** What is counted of the calls (requirement O2). Methods that nobody answers are one, `other`, whatever they are called. */
@Injectable()
export class RpcStatistics {
  private readonly methods = new Map<ProtocolVersion, Map<string, MethodStatistics>>();

  /** @param method one that is registered, or `other` */
  of(version: ProtocolVersion, method: string): MethodStatistics {
    let ofVersion = this.methods.get(version);
    if (!ofVersion) this.methods.set(version, (ofVersion = new Map<string, MethodStatistics>()));
    let statistics = ofVersion.get(method);
    if (!statistics) ofVersion.set(method, (statistics = new MethodStatistics()));
    return statistics;
  }

  entries(): { version: ProtocolVersion; method: string; statistics: MethodStatistics }[] {
    return [...this.methods].flatMap(([version, methods]) =>
      [...methods].map(([method, statistics]) => ({ version, method, statistics })),
    );
  }
}

/** The class of anything that was thrown while a call was handled. */
export function outcomeOf(thrown: unknown): RpcOutcome {
  const error = foreseenInCall(thrown);
  if (error instanceof HttpFailure) return outcomeOfStatus(error.status);
  if (!(error instanceof JsonRpcError) || error.code === INTERNAL) return 'internal_error';
  return JSON_RPC_FORM.has(error.code) ? 'invalid' : 'refused';
}

/** Another 5xx is of a team's own method, which says that what it needs does not work. */
function outcomeOfStatus(status: number): RpcOutcome {
  return OF_STATUS[status] ?? (status >= 500 ? 'unavailable' : 'refused');
}
