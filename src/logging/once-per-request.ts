import type { IncomingMessage, ServerResponse } from 'node:http';

type Middleware<Request> = (request: Request, response: ServerResponse, next: () => void) => void;

/** Nest applies a middleware once for every route that matches: a controller's own verb, and its `@All` for the others. */
export function oncePerRequest<Request extends IncomingMessage>(
  middleware: Middleware<Request>,
): Middleware<Request> {
  const seen = new WeakSet<Request>();
  return (request, response, next) => {
    if (seen.has(request)) {
      next();
      return;
    }
    seen.add(request);
    middleware(request, response, next);
  };
}
