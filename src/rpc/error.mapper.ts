import { HttpException, Injectable, Logger } from '@nestjs/common';
import { InternalError, JsonRpcError, StreamInterruptedError } from '../a2a/index.js';
import {
  StorageUnavailableError,
  asError,
  describeError,
  stackOf,
  isStorageFailure,
  HttpFailure,
  RefusedFailure,
  type LogLevel,
} from '../common/index.js';
import type { JsonRpcId } from './envelope.js';

export interface JsonRpcFailure {
  jsonrpc: '2.0';
  id: JsonRpcId;
  error: { code: number; message: string; data?: Record<string, unknown>[] };
}

/** The wire form of an error: `code`, `message`, `data` and nothing else (requirement W4). */
export function toJsonRpcFailure(id: JsonRpcId, error: JsonRpcError): JsonRpcFailure {
  const data = error.details();
  return {
    jsonrpc: '2.0',
    id,
    error: { code: error.code, message: error.message, ...(data.length > 0 ? { data } : {}) },
  };
}

/** @returns the error as the wire knows it, or `undefined` for what nobody foresaw */
export function foreseen(thrown: unknown): JsonRpcError | HttpFailure | undefined {
  const error = asError(thrown);
  if (error instanceof JsonRpcError || error instanceof HttpFailure) return error;
  return isStorageFailure(error) ? new StorageUnavailableError(error) : undefined;
}

/**
 * The same for what a method, or a guard, pipe or interceptor around it has thrown: Nest's exceptions are the status that they
 * name, with their message. One of status 500 is nothing that anybody foresaw.
 */
export function foreseenInCall(thrown: unknown): JsonRpcError | HttpFailure | undefined {
  const error = asError(thrown);
  if (!(error instanceof HttpException)) return foreseen(error);
  const status = error.getStatus();
  return status >= 400 && status !== 500 ? new RefusedFailure(status, error.message) : undefined;
}

/** The one place where thrown things become wire errors and log lines. */
@Injectable()
export class ErrorMapper {
  private readonly logger = new Logger('A2A');

  /**
   * @param origin class and method of what threw, for the log of what nobody foresaw
   * @returns the JSON-RPC error to answer with
   * @throws HttpFailure as it is, since that is no JSON-RPC answer (requirement W5)
   */
  toJsonRpcError(thrown: unknown, requestId: string, origin?: string): JsonRpcError {
    const known = foreseenInCall(thrown);
    const error = known ?? new InternalError(requestId);
    const text = error === thrown ? error.message : describeError(thrown);
    const entry = { requestId, stack: known ? undefined : stackOf(thrown) };
    this.log(error.logLevel, known || origin === undefined ? text : `${origin} failed: ${text}`, entry);
    if (error instanceof HttpFailure) throw error;
    return error;
  }

  /** The same for what is thrown in the midst of a stream, when the HTTP status has been sent (requirement P4). */
  toStreamError(thrown: unknown, requestId: string, origin?: string): JsonRpcError {
    try {
      return this.toJsonRpcError(thrown, requestId, origin);
    } catch (failure) {
      if (!(failure instanceof HttpFailure)) return new InternalError(requestId);
      return new StreamInterruptedError(failure.message);
    }
  }

  /** Logs what happened at the level of its class; unknown errors with the request id that the caller sees, and their stack. */
  log(
    level: LogLevel,
    message: string,
    { requestId, stack }: { requestId: string; stack?: string | undefined },
  ): void {
    const entry = { message, requestId, ...(stack !== undefined && { stack }) };
    if (level === 'info') this.logger.log(entry);
    else this.logger[level](entry);
  }
}
