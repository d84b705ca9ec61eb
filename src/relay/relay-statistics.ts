import { Distribution, SHORT_SECONDS, Tally } from '../common/index.js';
import { CloseCode, NotSentError, RefusedError } from '../relay-protocol/index.js';

/** `not_sent`: certainly not written; `unanswered`: its fate is not known. */
const CALL_OUTCOMES = ['ok', 'refused', 'not_sent', 'unanswered'] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

type EndReason = keyof typeof CloseCode | 'normal' | 'abnormal' | 'other';

const REASON_OF = new Map<number, EndReason>([
  [1000, 'normal'],
  [1006, 'abnormal'],
  ...(Object.entries(CloseCode) as [keyof typeof CloseCode, number][]).map(
    ([reason, code]): [number, EndReason] => [code, reason],
  ),
]);

/** The calls of one method to daemons. */
class CallStatistics {
  readonly outcomes = new Tally<CallOutcome>(CALL_OUTCOMES);
  readonly seconds = new Distribution(SHORT_SECONDS);
}

/** What is counted of the links to all daemons together (requirement O2). */
export class RelayStatistics {
  /** By method of the protocol; this service alone decides which ones it calls. */
  readonly calls = new Map<string, CallStatistics>();
  /** From the arrival of an update until its acknowledgement, which is after the commit. */
  readonly acknowledgeSeconds = new Distribution(SHORT_SECONDS);
  readonly ends = new Tally<EndReason>([...new Set(REASON_OF.values()), 'other']);
  /** Links that were opened. */
  opened = 0;

  /** A daemon may close with any code: what the protocol does not know is `other`. */
  recordEnd(code: number): void {
    this.ends.add(REASON_OF.get(code) ?? 'other');
  }

  /** Measures one call. */
  async measure<T>(method: string, call: () => Promise<T>): Promise<T> {
    let ofMethod = this.calls.get(method);
    if (!ofMethod) this.calls.set(method, (ofMethod = new CallStatistics()));
    const startedAtMs = performance.now();
    let outcome: CallOutcome = 'ok';
    try {
      return await call();
    } catch (error) {
      outcome = callOutcome(error);
      throw error;
    } finally {
      ofMethod.outcomes.add(outcome);
      ofMethod.seconds.observe((performance.now() - startedAtMs) / 1000);
    }
  }
}

function callOutcome(error: unknown): CallOutcome {
  if (error instanceof RefusedError) return 'refused';
  return error instanceof NotSentError ? 'not_sent' : 'unanswered';
}
