import { AsyncLocalStorage } from 'node:async_hooks';

/** What belongs to the HTTP request that is being handled, for log lines and for the trace that goes on with the job. */
export interface RequestContext {
  readonly requestId: string;
  /** The caller's trace context, where a valid one came. */
  readonly traceparent: string | undefined;
}

const contexts = new AsyncLocalStorage<RequestContext>();

/** The request that is being handled, where there is one. */
export function currentRequest(): RequestContext | undefined {
  return contexts.getStore();
}

/** Runs the handling of a request so that everything that follows from it knows it. */
export function withRequest(context: RequestContext, handle: () => void): void {
  contexts.run(context, handle);
}
