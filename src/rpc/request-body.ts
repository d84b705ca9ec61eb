import { raw, type Request, type Response } from 'express';
import {
  ContentTypeNotSupportedError,
  HttpFailure,
  ParseError,
  PayloadTooLargeFailure,
} from '../a2a/index.js';

/** Largest body that is read, after inflation (requirement W7). */
export const MAX_BODY_BYTES = 64 * 1024;

const parse = raw({ type: () => true, limit: MAX_BODY_BYTES, inflate: true });

class BadRequestFailure extends HttpFailure {
  readonly status = 400;
}

/**
 * Reads a request's body, inflating gzip, deflate and brotli.
 * @throws PayloadTooLargeFailure over the limit, inflated or announced
 * @throws ContentTypeNotSupportedError for an encoding that nobody knows
 * @throws ParseError when the encoding is broken
 */
export async function readBody(request: Request, response: Response): Promise<Uint8Array> {
  await new Promise<void>((resolve, reject) => {
    parse(request, response, (error?: unknown) =>
      error === undefined ? resolve() : reject(bodyError(error)),
    );
  });
  return Buffer.isBuffer(request.body) ? request.body : new Uint8Array();
}

function bodyError(error: unknown): Error {
  const { type, status } = error as { type?: string; status?: number };
  if (status === 413) return new PayloadTooLargeFailure(MAX_BODY_BYTES);
  if (type === 'encoding.unsupported')
    return new ContentTypeNotSupportedError('Unsupported content encoding');
  if (type === 'request.size.invalid' || type === 'request.aborted') {
    return new BadRequestFailure('The request body does not have the announced length');
  }
  return new ParseError();
}

/**
 * Whether a `Content-Type` announces JSON in UTF-8: `application/json`, in any case, with any parameters but
 * a foreign charset (requirement W1).
 */
export function isJsonContentType(header: string | undefined): boolean {
  const [type, ...parameters] = (header ?? '').toLowerCase().split(';');
  if (type?.trim() !== 'application/json') return false;
  const charset = parameters
    .map((parameter) => parameter.trim())
    .find((parameter) => parameter.startsWith('charset='));
  return charset === undefined || /^charset="?utf-?8"?$/.test(charset);
}
