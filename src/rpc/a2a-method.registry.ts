import { Injectable } from '@nestjs/common';
import type { A2ACall } from './a2a-call.js';
import type { ProtocolVersion } from './a2a-handler.decorator.js';

/** A handler method, wrapped in Nest's guards, pipes, interceptors and filters. */
export type A2AMethodHandler = (call: A2ACall) => Promise<unknown>;

export interface RegisteredMethod {
  handler: A2AMethodHandler;
  /** Whether the handler answers with a stream. */
  streams: boolean;
  /** Class and method, for messages about misuse. */
  origin: string;
}

/** Which method of which protocol version is answered by whom. Filled once by the explorer. */
@Injectable()
export class A2AMethodRegistry {
  private readonly methods = new Map<string, RegisteredMethod>();

  /** @throws Error naming both handlers when the method is taken */
  register(version: ProtocolVersion, method: string, registration: RegisteredMethod): void {
    const key = keyOf(version, method);
    const taken = this.methods.get(key);
    if (taken?.origin === registration.origin) {
      throw new Error(
        `A2A ${version} method ${method} is answered twice by ${taken.origin}: its class is a provider of two modules, or the name is given twice`,
      );
    }
    if (taken) {
      throw new Error(
        `A2A ${version} method ${method} is answered twice: ${taken.origin} and ${registration.origin}`,
      );
    }
    this.methods.set(key, registration);
  }

  find(version: ProtocolVersion, method: string): RegisteredMethod | undefined {
    return this.methods.get(keyOf(version, method));
  }
}

function keyOf(version: ProtocolVersion, method: string): string {
  return `${version} ${method}`;
}
