import { pino, type DestinationStream, type Logger } from 'pino';
import { asError, currentSpan, describeError, stackOf } from '../common/index.js';
import { standardOutput } from './log-output.js';
import { scrub } from './scrub.js';

/**
 * The root logger: JSON lines on stdout. Lines written under a span carry the id of its trace.
 * @param level least severe level that is written, or `silent`
 */
export function createLogger(level: string, destination: DestinationStream = standardOutput()): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: aboutTheSpan,
      serializers: { err: describeThrown },
      hooks: { streamWrite: scrub },
    },
    destination,
  );
}

/** Nothing without an OpenTelemetry SDK. */
function aboutTheSpan(): { traceId?: string } {
  const span = currentSpan();
  return span ? { traceId: span.traceId } : {};
}

/**
 * What a log says about an error. Not its other members: those of a failed database statement hold its parameters, which
 * are people's messages (requirement O2).
 */
export function describeThrown(thrown: unknown): Record<string, unknown> {
  const error = asError(thrown);
  if (error !== thrown) return { message: error.message };
  return {
    type: error.name,
    message: error.message,
    stack: stackOf(error),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}
