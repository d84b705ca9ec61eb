import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ContentTypeNotSupportedError, ParseError } from '../a2a/index.js';
import { HttpFailure, PayloadTooLargeFailure } from '../common/index.js';

/** Largest body that is read, after inflation (requirement W7). */
export const MAX_BODY_BYTES = 64 * 1024;

const INFLATERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

class BadRequestFailure extends HttpFailure {
  readonly status = 400;
}

/** The application around the module took the body and kept nothing that could be read strictly. */
class BodyTakenFailure extends HttpFailure {
  readonly status = 500;
  override readonly logLevel = 'error';
  constructor() {
    super(
      'The body was parsed before it could be read: create the Nest application with { rawBody: true } or { bodyParser: false }',
    );
  }
}

/**
 * Reads a request's body, inflating gzip, deflate and brotli. It fails as soon as it knows: a sender whose body is too
 * large, or never ends, has its answer while the rest is thrown away as it arrives. Where a parser of the application was
 * faster, its `rawBody` is taken, which is inflated.
 * @throws PayloadTooLargeFailure over the limit, inflated or announced
 * @throws ContentTypeNotSupportedError for an encoding that nobody knows
 * @throws ParseError when the encoding is broken
 * @throws HttpFailure (500) when the body was taken by others
 */
export async function readBody(request: IncomingMessage & { rawBody?: unknown }): Promise<Uint8Array> {
  const taken = request.rawBody;
  if (taken instanceof Uint8Array) {
    if (taken.length > MAX_BODY_BYTES) throw new PayloadTooLargeFailure(MAX_BODY_BYTES);
    return taken;
  }
  if (request.readableEnded) throw new BodyTakenFailure();
  const inflater = inflaterFor(request.headers['content-encoding']);
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
    throw new PayloadTooLargeFailure(MAX_BODY_BYTES);
  }
  try {
    return await collect(request, inflater);
  } finally {
    if (inflater) {
      request.unpipe(inflater);
      inflater.destroy();
    }
    // What is left belongs to nobody; unread, it would stand before the next request of the connection.
    request.resume();
  }
}

function inflaterFor(encoding = 'identity'): Transform | undefined {
  const name = encoding.trim().toLowerCase() || 'identity';
  if (name === 'identity') return undefined;
  const make = Object.hasOwn(INFLATERS, name) ? INFLATERS[name] : undefined;
  if (!make) throw new ContentTypeNotSupportedError('Unsupported content encoding');
  return make();
}

function collect(request: IncomingMessage, inflater: Transform | undefined): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const source = inflater ? request.pipe(inflater) : request;
    source.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) reject(new PayloadTooLargeFailure(MAX_BODY_BYTES));
      else chunks.push(chunk);
    });
    source.once('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    inflater?.on('error', () => reject(new ParseError()));
    request.once('error', () => reject(incomplete()));
    // A request that came to its end closes as well, while its body may still be being inflated.
    request.once('close', () => {
      if (!request.readableEnded) reject(incomplete());
    });
    if (request.destroyed) reject(incomplete());
  });
}

function incomplete(): HttpFailure {
  return new BadRequestFailure('The request body does not have the announced length');
}

/**
 * Whether a `Content-Type` announces JSON in UTF-8: `application/json`, in any case, with any parameters but
 * a foreign charset (requirement W1).
 */
export function isJsonContentType(header: string | undefined): boolean {
  if (header === 'application/json') return true;
  const [type, ...parameters] = (header ?? '').toLowerCase().split(';');
  if (type?.trim() !== 'application/json') return false;
  const charset = parameters
    .map((parameter) => parameter.trim())
    .find((parameter) => parameter.startsWith('charset='));
  return charset === undefined || /^charset="?utf-?8"?$/.test(charset);
}
