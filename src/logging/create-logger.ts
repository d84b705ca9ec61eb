import { pino, type DestinationStream, type Logger } from 'pino';
import { currentRequest, currentTraceparent, describeError, traceIdOf } from '../common/index.js';
import { scrub } from './scrub.js';

/**
 * The root logger: JSON lines on stdout. Lines written while a request is handled carry its id, and that of its trace.
 * @param level least severe level that is written, or `silent`
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: aboutTheRequest,
      serializers: { err: describeThrown },
      hooks: { streamWrite: scrub },
    },
    destination ?? pino.destination({ sync: true }),
  );
}

function aboutTheRequest(): { requestId?: string; traceId?: string } {
  const requestId = currentRequest()?.requestId;
  const traceparent = currentTraceparent();
  return {
    ...(requestId !== undefined && { requestId }),
    ...(traceparent !== undefined && { traceId: traceIdOf(traceparent) }),
  };
}

/**
 * What a log says about an error. Not its other members: those of a failed database statement hold its parameters, which
 * are people's messages (requirement O2).
 */
export function describeThrown(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}
