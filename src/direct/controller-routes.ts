import type { CanActivate, INestApplicationContext, Type } from '@nestjs/common';
import { RequestMethod } from '@nestjs/common';
import {
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  INTERCEPTORS_METADATA,
  METHOD_METADATA,
  PATH_METADATA,
  PIPES_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { MetadataScanner } from '@nestjs/core';
import type { DirectRequest, DirectResponse } from './direct-request.js';
import { RoutePattern } from './route-pattern.js';

type Argument = (request: DirectRequest, response: DirectResponse) => unknown;
/** @param name what the decorator was given, if anything */
type ArgumentMaker = (name: string | undefined) => Argument;
type Callback = (this: object, ...args: unknown[]) => unknown;

/** One method of a controller as a route, as its decorators say. */
export interface DirectRoute {
  method: string;
  pattern: RoutePattern;
  controller: Type;
  instance: object;
  callback: Callback;
  guards: CanActivate[];
  args: Argument[];
}

/** Verbs that are worth it; the others are Express's. */
const METHODS = new Map<RequestMethod, string>([
  [RequestMethod.GET, 'GET'],
  [RequestMethod.POST, 'POST'],
]);

const ARGUMENTS = new Map<number, ArgumentMaker>([
  [RouteParamtypes.REQUEST, () => (request) => request],
  [RouteParamtypes.RESPONSE, () => (_, response) => response],
  [
    RouteParamtypes.PARAM,
    (name) => (name === undefined ? (request) => request.params : (request) => request.params[name]),
  ],
]);

const NOT_SUPPORTED = [INTERCEPTORS_METADATA, PIPES_METADATA];

/**
 * Reads the routes of a controller from what Nest's own decorators recorded: paths, verb, guards, parameters. There is no
 * second place where any of them could be said.
 * @param filter the one that the controller may have, since direct routes apply it as well
 * @throws Error for a method with interceptors, pipes, other filters, or parameters other than `@Req()`, `@Res()` and `@Param()`
 */
export function controllerRoutes(
  app: INestApplicationContext,
  controller: Type,
  filter: Type,
): DirectRoute[] {
  const instance = app.get<object>(controller, { strict: false });
  const prototype = controller.prototype as Record<string, Callback>;
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
    const callback = prototype[name];
    const method = callback && METHODS.get(metadata(METHOD_METADATA, callback) as RequestMethod);
    if (!callback || method === undefined) return [];
    refuseUnsupported({ controller, name, callback, filter });
    const guards = [controller, callback]
      .flatMap((target) => (metadata(GUARDS_METADATA, target) ?? []) as (Type<CanActivate> | CanActivate)[])
      .map((guard) => (typeof guard === 'function' ? app.get<CanActivate>(guard, { strict: false }) : guard));
    const args = argumentsOf(controller, name);
    return templatesOf(controller, callback).map((template) => {
      const pattern = new RoutePattern(template);
      return { method, pattern, controller, instance, callback, guards, args };
    });
  });
}

function templatesOf(controller: Type, callback: Callback): string[] {
  const paths = (target: object) => [metadata(PATH_METADATA, target) ?? ''].flat() as string[];
  return paths(controller).flatMap((base) =>
    paths(callback).map((path) => `/${[base, path].flatMap(segments).join('/')}`),
  );
}

function segments(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

function argumentsOf(controller: Type, name: string): Argument[] {
  const recorded = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<
    string,
    { index: number; data?: string; pipes: unknown[] }
  >;
  const args: Argument[] = [];
  for (const [key, { index, data, pipes }] of Object.entries(recorded)) {
    const argument = ARGUMENTS.get(Number(key.split(':')[0]))?.(data);
    if (!argument || pipes.length > 0) {
      throw new Error(`${controller.name}.${name} has a parameter that a direct route does not know`);
    }
    args[index] = argument;
  }
  return args;
}

function refuseUnsupported(method: {
  controller: Type;
  name: string;
  callback: Callback;
  filter: Type;
}): void {
  const { controller, name, callback, filter } = method;
  const of = (key: string) =>
    [metadata(key, controller) ?? [], metadata(key, callback) ?? []].flat() as unknown[];
  const found =
    NOT_SUPPORTED.find((key) => of(key).length > 0) ??
    (of(EXCEPTION_FILTERS_METADATA).some((one) => one !== filter) ? EXCEPTION_FILTERS_METADATA : undefined);
  if (found !== undefined)
    throw new Error(
      `${controller.name}.${name} has ${found}; direct routes have guards and their filter alone`,
    );
}

function metadata(key: string, target: object): unknown {
  return Reflect.getMetadata(key, target) as unknown;
}
