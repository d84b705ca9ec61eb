import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, ExternalContextCreator, MetadataScanner, Reflector } from '@nestjs/core';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { unreachableProvider } from '../common/index.js';
import { A2A_CONTEXT } from './a2a-call.js';
import { A2A_HANDLER, A2A_METHOD, type MethodRecord, type ProtocolVersion } from './a2a-handler.decorator.js';
import { A2AMethodRegistry, type A2AMethodHandler } from './a2a-method.registry.js';
import { faultOfMethod, faultOfVersion } from './handler-faults.js';

type Wrapper = ReturnType<DiscoveryService['getProviders']>[number];

/** Handler methods take their arguments from parameter decorators alone; there is no positional argument. */
const noPositionalArguments = { exchangeKeyForValue: () => undefined };

/** Finds the `@A2AHandler` classes once, at start-up, and registers their methods. Misuse stops the start. */
@Injectable()
export class A2AMethodExplorer implements OnModuleInit {
  private readonly scanner = new MetadataScanner();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly reflector: Reflector,
    private readonly contexts: ExternalContextCreator,
    private readonly registry: A2AMethodRegistry,
  ) {}

  onModuleInit(): void {
    const providers = this.discovery.getProviders();
    for (const wrapper of providers) {
      const version = this.versionOf(wrapper);
      if (version !== undefined) this.registerHandler(wrapper, version);
      else this.refuseStray(wrapper, 'a class without @A2AHandler');
    }
    for (const wrapper of this.discovery.getControllers()) {
      this.refuseStray(wrapper, 'a controller; handlers are providers with @A2AHandler');
    }
    const unreachable = unreachableProvider(providers, providers, (type) =>
      Reflect.hasMetadata(A2A_HANDLER, type),
    );
    if (unreachable !== undefined) throw new Error(`@A2AHandler ${unreachable}`);
  }

  /** A method that nobody would ever call. */
  private refuseStray({ metatype, name, isAlias }: Wrapper, where: string): void {
    const prototype = isAlias ? undefined : (metatype?.prototype as Record<string, object> | undefined);
    if (!prototype) return;
    const stray = this.methodsIn(prototype)[0];
    if (stray !== undefined) throw new Error(`@A2AMethod ${name}.${stray} stands in ${where}`);
  }

  private methodsIn(prototype: Record<string, object>): string[] {
    return this.scanner
      .getAllMethodNames(prototype)
      .filter((name) => prototype[name] && Reflect.hasMetadata(A2A_METHOD, prototype[name]));
  }

  private versionOf(wrapper: Wrapper): ProtocolVersion | undefined {
    if (!wrapper.metatype || wrapper.isAlias) return undefined;
    return this.reflector.get<ProtocolVersion | undefined>(A2A_HANDLER, wrapper.metatype);
  }

  private registerHandler(wrapper: Wrapper, version: ProtocolVersion): void {
    const instance = wrapper.instance as Record<string, (...args: unknown[]) => unknown>;
    if (!wrapper.isDependencyTreeStatic()) {
      throw new Error(`A2A handler ${wrapper.name} is request-scoped; handlers must be singletons`);
    }
    if (wrapper.isTransient) {
      throw new Error(`A2A handler ${wrapper.name} is transient; handlers must be singletons`);
    }
    const fault = faultOfVersion(version);
    if (fault !== undefined) throw new Error(`A2A handler ${wrapper.name}: ${fault}`);
    const methodNames = this.methodsIn(Object.getPrototypeOf(instance) as Record<string, object>);
    if (methodNames.length === 0) {
      throw new Error(`A2A handler ${wrapper.name} has no method with @A2AMethod`);
    }
    for (const name of methodNames)
      this.registerMethod(instance, name, { version, host: wrapper.name as string });
  }

  private registerMethod(
    instance: Record<string, (...args: unknown[]) => unknown>,
    name: string,
    { version, host }: { version: ProtocolVersion; host: string },
  ): void {
    const callback = instance[name];
    if (!callback) return;
    const fault = faultOfMethod(instance, name, callback);
    if (fault !== undefined) throw new Error(`A2A handler ${host}.${name}: ${fault}`);
    const handler = this.contexts.create(
      instance,
      callback,
      name,
      ROUTE_ARGS_METADATA,
      noPositionalArguments,
      undefined,
      undefined,
      { guards: true, interceptors: true, filters: false },
      A2A_CONTEXT,
    ) as A2AMethodHandler;
    const { names, streams } = this.reflector.get<MethodRecord>(A2A_METHOD, callback);
    for (const method of names) {
      this.registry.register(version, method, { handler, streams, origin: `${host}.${name}` });
    }
  }
}
