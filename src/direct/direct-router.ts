import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import { ForbiddenException, type ExceptionFilter } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { isObservable, lastValueFrom } from 'rxjs';
import type { DirectRoute } from './controller-routes.js';
import type { DirectRequest, Middleware } from './direct-request.js';

interface Target {
  route: DirectRoute;
  parameters: Record<string, string>;
}

/**
 * Brings requests straight to the controllers that answer most of them (ADR 14). The middlewares, guards, controllers
 * and the filter are those of the application; what is left out is Express's search for them.
 */
export class DirectRouter {
  /** Routes by verb and number of segments. */
  private readonly routes = new Map<string, DirectRoute[]>();

  constructor(
    routes: readonly DirectRoute[],
    private readonly middlewares: readonly Middleware[],
    private readonly filter: ExceptionFilter,
  ) {
    for (const route of routes) {
      const key = `${route.method} ${route.pattern.length}`;
      this.routes.set(key, [...(this.routes.get(key) ?? []), route]);
    }
  }

  /** @returns false for a request that is somebody else's; nothing has been done with it then */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    const url = request.url ?? '';
    const queryAt = url.indexOf('?');
    const target = this.find(request.method ?? '', queryAt < 0 ? url : url.slice(0, queryAt));
    if (!target) return false;
    const direct = Object.assign(request, {
      params: target.parameters,
      query: queryAt < 0 ? {} : parseQuery(url.slice(queryAt + 1)),
      originalUrl: url,
      route: { path: target.route.pattern.template },
    });
    this.through(0, target.route, direct, response);
    return true;
  }

  private find(method: string, path: string): Target | undefined {
    if (!path.startsWith('/')) return undefined;
    const parts = path.split('/').slice(1);
    if (parts.at(-1) === '') parts.pop();
    for (const route of this.routes.get(`${method} ${parts.length}`) ?? []) {
      const parameters = route.pattern.match(parts);
      if (parameters) return { route, parameters };
    }
    return undefined;
  }

  private through(index: number, route: DirectRoute, request: DirectRequest, response: ServerResponse): void {
    const middleware = this.middlewares[index];
    if (!middleware) {
      void this.answer(route, request, response);
      return;
    }
    middleware(request, response, (error) => {
      if (error === undefined || error === null) this.through(index + 1, route, request, response);
      else this.filter.catch(error, new ExecutionContextHost([request, response]));
    });
  }

  /** As Nest does it: the guards one after another, then the method; whatever is thrown goes to the filter. */
  private async answer(route: DirectRoute, request: DirectRequest, response: ServerResponse): Promise<void> {
    const context = new ExecutionContextHost([request, response], route.controller, route.callback);
    try {
      for (const guard of route.guards) {
        const allowed = guard.canActivate(context);
        // What is known at once costs no turn of the promises.
        if (allowed === true) continue;
        if (!(await (isObservable(allowed) ? lastValueFrom(allowed) : allowed)))
          throw new ForbiddenException();
      }
      await route.callback.apply(
        route.instance,
        route.args.map((argument) => argument(request, response)),
      );
    } catch (error) {
      this.filter.catch(error, context);
    }
  }
}
