import type { IncomingMessage } from 'node:http';

/**
 * The template of the route that took a request, such as `/a2a/:address/:handle`. What no route took has none, since its
 * path is the client's choice and may be anything, a secret included.
 * @param request one that the router has seen
 */
export function routeTemplate(request: IncomingMessage): string {
  const { route } = request as IncomingMessage & { route?: { path?: unknown } };
  return typeof route?.path === 'string' ? route.path : 'none';
}
