import { Injectable, SetMetadata, type Type } from '@nestjs/common';
import { INJECTABLE_WATERMARK } from '@nestjs/common/constants.js';
import type { AgentInCode } from '../directory/index.js';
import type { AssistantRunner } from './assistant.js';

export const ASSISTANT = Symbol('hello:assistant');

/** What the decorator says: the entry of the directory, and the limits of a run. */
export interface AssistantOptions extends AgentInCode {
  /** How long one run may take; 600 if absent. */
  timeoutSeconds?: number;
}

/**
 * Makes a provider an assistant that runs in this process, with a card and both wires, durable like one behind the relay.
 * Guards and interceptors apply to `run` as on a controller: the execution context's type is `assistant`, its arguments
 * are the job and the context. The decorator only records; the explorer reads it at start-up, where misuse stops the
 * start.
 */
export function Assistant(options: AssistantOptions): (target: Type<AssistantRunner>) => void {
  return (target) => {
    // A second one would take away the scope of the first, which the explorer refuses.
    if (!Reflect.hasOwnMetadata(INJECTABLE_WATERMARK, target)) Injectable()(target);
    // JavaScript may leave the options out; the explorer says which are missing.
    SetMetadata(ASSISTANT, (options as AssistantOptions | undefined) ?? {})(target);
  };
}
