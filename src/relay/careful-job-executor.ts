import { Logger } from '@nestjs/common';
import { describeError, stackOf } from '../common/index.js';
import {
  JobExecutor,
  faultOfReport,
  type CancelOutcome,
  type InputOutcome,
  type JobInput,
  type JobOrder,
  type StatusAnswer,
  type SubmitOutcome,
} from '../tasks/index.js';

/** One question to the executor, and what it means when there is no answer that can be used. */
interface Asked<T> {
  method: 'submit' | 'status' | 'cancel' | 'answer';
  ask: () => Promise<T>;
  /** @returns what is wrong with an answer */
  fault: (answer: T) => string | undefined;
  otherwise: T;
  about: Record<string, unknown>;
}

/**
 * An executor of others. What it throws, or answers in a form that nobody knows, says nothing about the job: it may run all
 * the same. So it counts as what is not certain, is logged with the executor's class, and reconciliation finds out.
 */
export class CarefulJobExecutor extends JobExecutor {
  private readonly logger = new Logger('Jobs');

  constructor(private readonly executor: JobExecutor) {
    super();
  }

  isAvailable(computerId: string): boolean {
    try {
      const isAvailable: unknown = this.executor.isAvailable(computerId);
      if (typeof isAvailable === 'boolean') return isAvailable;
      this.tell('isAvailable', new TypeError('it answered neither true nor false'), { computerId });
    } catch (error) {
      this.tell('isAvailable', error, { computerId });
    }
    return false;
  }

  submit(order: JobOrder): Promise<SubmitOutcome> {
    const { taskId, requestId } = order;
    return this.answered<SubmitOutcome>({
      method: 'submit',
      ask: () => this.executor.submit(order),
      fault: (outcome) => faultOfOutcome(outcome, taskId, ['accepted', 'refused', 'uncertain']),
      otherwise: { kind: 'uncertain' },
      about: { taskId, requestId },
    });
  }

  status(
    computerId: string,
    taskIds: string[],
    patience: 'short' | 'long',
  ): Promise<StatusAnswer[] | undefined> {
    return this.answered<StatusAnswer[] | undefined>({
      method: 'status',
      ask: () => this.executor.status(computerId, taskIds, patience),
      fault: faultOfAnswers,
      otherwise: undefined,
      about: { computerId },
    });
  }

  cancel(computerId: string, taskId: string, requestId?: string): Promise<CancelOutcome> {
    return this.answered<CancelOutcome>({
      method: 'cancel',
      ask: () => this.executor.cancel(computerId, taskId, requestId),
      fault: (outcome) => faultOfOutcome(outcome, taskId, ['reported', 'unknown', 'unreachable']),
      otherwise: { kind: 'unreachable' },
      about: { taskId, requestId },
    });
  }

  answer(input: JobInput): Promise<InputOutcome> {
    const { taskId, requestId } = input;
    return this.answered<InputOutcome>({
      method: 'answer',
      ask: () => this.executor.answer(input),
      fault: (outcome) =>
        faultOfOutcome(outcome, taskId, ['reported', 'not_sent', 'not_waiting', 'uncertain']),
      otherwise: { kind: 'uncertain' },
      about: { taskId, requestId },
    });
  }

  forget(computerId: string, taskIds: string[]): void {
    const about = { computerId };
    try {
      const forgotten: unknown = this.executor.forget(computerId, taskIds);
      if (forgotten instanceof Promise)
        forgotten.catch((error: unknown) => this.tell('forget', error, about));
    } catch (error) {
      this.tell('forget', error, about);
    }
  }

  private async answered<T>({ method, ask, fault, otherwise, about }: Asked<T>): Promise<T> {
    try {
      const answer = await ask();
      const found = fault(answer);
      if (found === undefined) return answer;
      this.tell(method, new TypeError(`it answered ${found}`), about);
    } catch (error) {
      this.tell(method, error, about);
    }
    return otherwise;
  }

  private tell(method: string, error: unknown, about: Record<string, unknown>): void {
    const msg = `${this.executor.constructor.name}.${method} failed: ${describeError(error)}`;
    this.logger.error({ msg, ...about, stack: stackOf(error) });
  }
}

interface Outcome {
  kind: string;
  report?: unknown;
}

function faultOfOutcome(
  outcome: Outcome | undefined | null,
  taskId: string,
  kinds: string[],
): string | undefined {
  const kind = outcome?.kind;
  if (kind === undefined || !kinds.includes(kind)) return `no kind of ${kinds.join(', ')}`;
  return kind === 'accepted' || kind === 'reported' ? faultOfReported(outcome?.report, taskId) : undefined;
}

/** @param taskId the task that was asked about; without it any will do */
function faultOfReported(report: unknown, taskId?: string): string | undefined {
  const fault = faultOfReport(report);
  if (fault !== undefined) return `a report whose ${fault}`;
  const isOther = taskId !== undefined && (report as { taskId: string }).taskId !== taskId;
  return isOther ? 'with a report of another task' : undefined;
}

function faultOfAnswers(answers: unknown): string | undefined {
  if (answers === undefined) return undefined;
  if (!Array.isArray(answers)) return 'neither a list nor undefined';
  return (answers as (StatusAnswer | null | undefined)[])
    .map(faultOfAnswer)
    .find((fault) => fault !== undefined);
}

function faultOfAnswer(answer: StatusAnswer | null | undefined): string | undefined {
  if (answer?.kind === 'reported') return faultOfReported(answer.report);
  const isUnknown = answer?.kind === 'unknown' && typeof answer.taskId === 'string';
  return isUnknown ? undefined : 'with an entry of no kind of reported, unknown';
}
