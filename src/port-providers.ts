import { Scope, type FactoryProvider, type Provider, type Type } from '@nestjs/common';
import { SCOPE_OPTIONS_METADATA } from '@nestjs/common/constants.js';
import { AccountTokenVerifier } from './accounts/index.js';
import { Clock } from './common/index.js';
import { AgentDirectory } from './directory/index.js';
import { JobExecutor, MessageQuota, TaskStore } from './tasks/index.js';

/** What others may put in the place of a part: the abstract class is the token, and its comment the rules. */
const PORTS = [AccountTokenVerifier, AgentDirectory, TaskStore, JobExecutor, MessageQuota, Clock] as const;

type Port = (typeof PORTS)[number];

/** One port, and what stands there instead of the default. */
export type PortProvider = Exclude<Provider, Type> & { provide: Port };

/** @returns the providers that take the place of the defaults of these ports; each refuses what does not extend its port */
export function replacements(
  tokens: readonly Port[],
  { ports = [] }: { ports?: readonly PortProvider[] },
): PortProvider[] {
  return ports.filter(({ provide }) => tokens.includes(provide)).map(checkedWhenMade);
}

/** @throws Error for what is no port, is replaced twice, or is replaced by what cannot be one, naming the port */
export function refuseForeignPorts(ports: readonly PortProvider[] = []): void {
  const names = PORTS.map(({ name }) => name).join(', ');
  const given = new Set<unknown>();
  for (const port of ports) {
    const { provide }: { provide: unknown } = port;
    const name = typeof provide === 'function' ? provide.name : String(provide);
    if (!(PORTS as readonly unknown[]).includes(provide)) {
      throw new Error(`${name} is no port of hello-api and cannot be replaced; the ports are ${names}`);
    }
    if (given.has(provide)) throw new Error(`The port ${name} is replaced twice; name one provider for it`);
    given.add(provide);
    refuseMisfit(port);
  }
}

/** What can be seen before anything is made. */
function refuseMisfit(port: PortProvider): void {
  if ('useValue' in port) requirePort(port.provide, port.useValue);
  if (scopeOf(port) !== Scope.DEFAULT) {
    throw new Error(
      `The port ${port.provide.name} is replaced by a provider of its own for each request; ports must be singletons`,
    );
  }
  if ('useClass' in port && !isPort(port.provide, port.useClass.prototype)) {
    throw misfit(port.provide, port.useClass.name);
  }
}

/** What only shows when it is made. */
function checkedWhenMade(port: PortProvider): PortProvider {
  const { provide } = port;
  if ('useExisting' in port) {
    const inject = [port.useExisting as Type];
    return { provide, inject, useFactory: (existing: unknown) => requirePort(provide, existing) };
  }
  if (!('useFactory' in port)) return port;
  const factory = port as FactoryProvider<unknown>;
  const useFactory = async (...injected: unknown[]) =>
    requirePort(provide, await factory.useFactory(...injected));
  return { ...port, useFactory };
}

function scopeOf(port: PortProvider): Scope {
  const onClass =
    'useClass' in port
      ? (Reflect.getMetadata(SCOPE_OPTIONS_METADATA, port.useClass) as { scope?: Scope } | undefined)
      : undefined;
  return ('scope' in port ? port.scope : undefined) ?? onClass?.scope ?? Scope.DEFAULT;
}

function requirePort<T>(port: Port, made: T): T {
  if (isPort(port, made)) return made;
  throw misfit(port, (made as object | null | undefined)?.constructor.name ?? String(made));
}

function isPort(port: Port, made: unknown): boolean {
  return made instanceof port;
}

function misfit(port: Port, name: string): Error {
  return new Error(
    `The port ${port.name} is replaced by ${name}, which does not extend it; extend the abstract class, from this copy of hello-api`,
  );
}
