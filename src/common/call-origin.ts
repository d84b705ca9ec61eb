/**
 * Where work comes from: names the HTTP request in the log, and the trace that goes on with the job. Handed on as a
 * value, since what would carry it unseen makes every promise of the process dearer (ADR 0019).
 */
export interface CallOrigin {
  readonly requestId: string;
  /** The caller's trace context, where a valid one came. */
  readonly traceparent?: string | undefined;
}
