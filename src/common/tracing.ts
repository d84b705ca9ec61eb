import {
  type Attributes,
  type Context,
  INVALID_SPANID,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  context,
  isSpanContextValid,
  trace,
} from '@opentelemetry/api';

/** Does nothing until the operator's process has an OpenTelemetry SDK (docs/operating.md, "Traces"). */
const tracer = trace.getTracer('hello-api');

export interface SpanOptions {
  kind: 'server' | 'client' | 'internal';
  /** Never texts, keys, or anything else that does not belong into a log. */
  attributes?: Attributes;
  /** Begins a trace of its own, whatever is at work. */
  root?: boolean;
  /** Spans that this one serves without being their child. */
  links?: SpanContext[];
  /** The caller's trace (`traceparent`), under which the first span of a request stands. */
  under?: string | undefined;
}

const KIND = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

/**
 * Runs a piece of work as a span. A rejection is marked, by the name of the error alone, and passed on.
 * @param name of a fixed set, since it groups spans as a label groups metrics
 */
export async function traced<T>(
  name: string,
  { kind, root = false, attributes = {}, links = [], under }: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const parent = root ? ROOT_CONTEXT : parentContext(under);
  const span = tracer.startSpan(
    name,
    { kind: KIND[kind], attributes, links: links.map((link) => ({ context: link })) },
    parent,
  );
  // Without an SDK there is nothing to mark, to end or to be under.
  if (span.spanContext().spanId === INVALID_SPANID) return await work(span);
  try {
    return await context.with(trace.setSpan(parent, span), () => work(span));
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'unknown' });
    throw error;
  } finally {
    span.end();
  }
}

/** The span that is at work, to be linked to later. Nothing without an SDK. */
export function currentSpan(): SpanContext | undefined {
  const active = trace.getSpanContext(context.active());
  return active && isSpanContextValid(active) ? active : undefined;
}

/**
 * The trace that work handed on belongs to, as a `traceparent` (W3C Trace Context): of the span at work, else as the
 * caller sent it.
 * @param sent the caller's, where one came
 */
export function traceparentFor(sent: string | undefined): string | undefined {
  const active = currentSpan();
  if (!active) return sent;
  const flags = active.traceFlags.toString(16).padStart(2, '0');
  return `00-${active.traceId}-${active.spanId}-${flags}`;
}

/** Under the span at work; the first one of a request under the caller's. */
function parentContext(traceparent: string | undefined): Context {
  const active = context.active();
  if (traceparent === undefined || trace.getSpanContext(active)) return active;
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  return trace.setSpanContext(active, { traceId, spanId, traceFlags: parseInt(flags, 16), isRemote: true });
}
