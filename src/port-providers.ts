import { Scope, type FactoryProvider, type Provider, type Type } from '@nestjs/common';
import { SCOPE_OPTIONS_METADATA } from '@nestjs/common/constants.js';
import { AccountTokenVerifier } from './accounts/index.js';
import { Clock } from './common/index.js';
import { AgentDirectory } from './directory/index.js';
import { missingMethod } from './port-methods.js';
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
  if (!Array.isArray(ports)) throw new Error('ports: must be a list of providers');
  const names = PORTS.map(({ name }) => name).join(', ');
  const given = new Set<unknown>();
  for (const [index, port] of (ports as readonly PortProvider[]).entries()) {
    const { provide }: { provide?: string | Port } = (port as PortProvider | null | undefined) ?? {};
    if (!provide)
      throw new Error(`ports[${index}]: must be a provider, { provide: AgentDirectory, useClass: … }`);
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
  if ('useClass' in port) return { ...port, useClass: checkedClass(provide, port.useClass) };
  if (!('useFactory' in port)) return port;
  const factory = port as FactoryProvider<unknown>;
  const useFactory = async (...injected: unknown[]) =>
    requirePort(provide, await factory.useFactory(...injected));
  return { ...port, useFactory };
}

/** Methods may be fields, which only an instance has. All that Nest reads from the class is inherited. */
function checkedClass<T extends object>(port: Port, type: Type<T>): Type<T> {
  function Checked(...injected: unknown[]): T {
    return requirePort(port, new type(...injected));
  }
  Object.defineProperty(Checked, 'name', { value: type.name });
  Object.setPrototypeOf(Checked, type);
  Checked.prototype = type.prototype as object;
  return Checked as unknown as Type<T>;
}

function scopeOf(port: PortProvider): Scope {
  const onClass =
    'useClass' in port
      ? (Reflect.getMetadata(SCOPE_OPTIONS_METADATA, port.useClass) as { scope?: Scope } | undefined)
      : undefined;
  return ('scope' in port ? port.scope : undefined) ?? onClass?.scope ?? Scope.DEFAULT;
}

function requirePort<T>(port: Port, made: T): T {
  const name = (made as object | null | undefined)?.constructor.name ?? String(made);
  if (!isPort(port, made)) throw misfit(port, name);
  const missing = missingMethod(port.name, made as object);
  if (missing === undefined) return made;
  throw new Error(`The port ${port.name} is replaced by ${name}, which has no method ${missing}`);
}

function isPort(port: Port, made: unknown): boolean {
  return made instanceof port;
}

function misfit(port: Port, name: string): Error {
  return new Error(
    `The port ${port.name} is replaced by ${name}, which does not extend it; extend the abstract class, from this copy of hello-api`,
  );
}
