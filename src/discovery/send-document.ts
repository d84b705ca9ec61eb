import type { IncomingMessage, ServerResponse } from 'node:http';
import fresh from 'fresh';
import { prepareHeader } from '../common/index.js';
import type { VisibleAgent } from './agent-access.service.js';
import type { AgentDocument } from './agent-documents.service.js';

/** A public card may be up to five minutes old; so may be its disappearance. */
const PUBLIC_CACHING = 'public, max-age=300';
const RESTRICTED_CACHING = 'private, no-store';

/**
 * Keeps the answer to a failed look-up out of caches: the same address may answer another client. Called before the
 * look-up; `sendDocument` replaces it.
 */
export function forbidCaching(response: ServerResponse): void {
  prepareHeader(response, 'Cache-Control', 'no-store');
}

/** What decides how a document may be cached. */
export interface Caching {
  /** Whether everybody gets the same document. */
  isPublic: boolean;
  updatedAtMs: number;
}

/** Whoever needs a key or a token for a document must not get it from a cache. */
export function cachingOf({ agent }: VisibleAgent): Caching {
  return { isPublic: agent.visibility === 'public', updatedAtMs: agent.updatedAtMs };
}

/**
 * Sends a document with its caching headers, or 304 to a client that has it (requirement C3). Node leaves the body out for `HEAD`.
 * A public document is the same for everybody and so does not vary.
 */
export function sendDocument(
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  document: AgentDocument,
  { isPublic, updatedAtMs }: Caching,
): void {
  const { etag } = document;
  const lastModified = new Date(updatedAtMs).toUTCString();
  const headers = ['ETag', etag, 'Last-Modified', lastModified];
  prepareHeader(response, 'Cache-Control', isPublic ? PUBLIC_CACHING : RESTRICTED_CACHING);
  if (!isPublic) response.appendHeader('Vary', 'Authorization');
  if (fresh(request.headers, { etag, 'last-modified': lastModified })) {
    response.writeHead(304, headers).end();
    return;
  }
  headers.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(document.bytes));
  response.writeHead(200, headers).end(document.text, document.encoding);
}
