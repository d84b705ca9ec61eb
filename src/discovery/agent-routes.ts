/**
 * The routes of an address below a prefix. The router compares paths before it decodes them, so that `@` and its escape
 * are two routes; a path without either is somebody else's.
 * @param prefix with a slash at its end, or empty
 * @param rest what follows the handle, without a slash at its start
 */
export function agentRoutes(prefix: string, rest: string): string[] {
  return ['@', '%40'].map((at) => `${prefix}${at}:username/:handle/${rest}`);
}

/** The verbs of a document, for the `Allow` header. */
export const DOCUMENT_VERBS = 'GET, HEAD';
