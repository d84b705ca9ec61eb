import { Injectable, SetMetadata } from '@nestjs/common';
import { INJECTABLE_WATERMARK } from '@nestjs/common/constants.js';

export const A2A_HANDLER = Symbol('hello:a2a-handler');
export const A2A_METHOD = Symbol('hello:a2a-method');

/** The versions of the protocol that this program speaks, each a set of methods of its own. */
export type ProtocolVersion = '1.0' | '0.3';

/** What `@A2AMethod` records for the explorer. */
export interface MethodRecord {
  names: string[];
  streams: boolean;
}

/**
 * Marks a class whose methods answer JSON-RPC methods of one protocol version. It only records; the explorer
 * reads it at start-up.
 */
export function A2AHandler(version: ProtocolVersion): ClassDecorator {
  return (target) => {
    // A second one would take away the scope of the first, which the explorer refuses.
    if (!Reflect.hasOwnMetadata(INJECTABLE_WATERMARK, target)) Injectable()(target);
    SetMetadata(A2A_HANDLER, version)(target);
  };
}

/**
 * Marks the method of an `@A2AHandler` class that answers one or more JSON-RPC methods. What it returns becomes
 * `result`. Guards, pipes, interceptors and filters of Nest apply as on a controller (context type `a2a`).
 */
export function A2AMethod(...names: [string, ...string[]]): MethodDecorator;
/**
 * With `streams`, the method returns an `AsyncIterable`: each item becomes the `result` of one answer in a stream of
 * server-sent events, and so does an error (requirement P4).
 */
export function A2AMethod(name: string, options: { streams: true }): MethodDecorator;
export function A2AMethod(...given: (string | { streams: true })[]): MethodDecorator {
  const names = given.filter((entry) => typeof entry === 'string');
  return SetMetadata(A2A_METHOD, { names, streams: names.length < given.length } satisfies MethodRecord);
}
