import type { Response } from 'express';
import type { VisibleAgent } from './agent-access.service.js';
import type { AgentDocument } from './agent-documents.service.js';

/** A public card may be up to five minutes old; so may be its disappearance. */
const PUBLIC_CACHING = 'public, max-age=300';
const RESTRICTED_CACHING = 'private, no-store';

/**
 * Keeps the answer to a failed look-up out of caches: the same address may answer another client. Called before the
 * look-up; `sendDocument` replaces it.
 */
export function forbidCaching(response: Response): void {
  response.set('Cache-Control', 'no-store');
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
 * Sends a document with its caching headers (requirement C3). Express answers `If-None-Match`, `If-Modified-Since` and `HEAD` from
 * the headers that are set here. A public document is the same for everybody and so does not vary.
 */
export function sendDocument(
  response: Response,
  document: AgentDocument,
  { isPublic, updatedAtMs }: Caching,
): void {
  response.set({
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': isPublic ? PUBLIC_CACHING : RESTRICTED_CACHING,
    ETag: document.etag,
    'Last-Modified': new Date(updatedAtMs).toUTCString(),
  });
  if (!isPublic) response.vary('Authorization');
  response.send(document.body);
}
