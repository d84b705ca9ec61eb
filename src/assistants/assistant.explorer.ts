import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, ExternalContextCreator } from '@nestjs/core';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { unreachableProvider } from '../common/index.js';
import { AgentInCodeError } from '../directory/index.js';
import type { AssistantJob, AssistantContext, AssistantRunner } from './assistant.js';
import { ASSISTANT, type AssistantOptions } from './assistant.decorator.js';
import { AssistantRegistry } from './assistant.registry.js';
import { AssistantRuntime, type RunOutput, type RunThroughNest } from './assistant-runtime.js';

type Wrapper = ReturnType<DiscoveryService['getProviders']>[number];

/** The type of the execution context of guards and interceptors around `run`. */
export const ASSISTANT_CONTEXT = 'assistant';

const DEFAULT_TIMEOUT_SECONDS = 600;
const MAX_TIMEOUT_SECONDS = 24 * 3600;

/** Arguments come from Nest as they are; `run` needs no parameter decorators. */
const noPositionalArguments = { exchangeKeyForValue: () => undefined };

/** Finds the `@Assistant` classes once, at start-up. Misuse stops the start and names the class. */
@Injectable()
export class AssistantExplorer implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly contexts: ExternalContextCreator,
    private readonly registry: AssistantRegistry,
  ) {}

  onModuleInit(): void {
    const providers = this.discovery.getProviders();
    for (const wrapper of providers) {
      const options = this.optionsOf(wrapper);
      if (options) this.register(wrapper, options);
    }
    const unreachable = unreachableProvider(
      providers,
      [...providers, ...this.discovery.getControllers()],
      (type) => Reflect.hasMetadata(ASSISTANT, type),
    );
    if (unreachable !== undefined) throw new AgentInCodeError(`@Assistant ${unreachable}`);
  }

  private optionsOf(wrapper: Wrapper): AssistantOptions | undefined {
    if (!wrapper.metatype || wrapper.isAlias) return undefined;
    return Reflect.getMetadata(ASSISTANT, wrapper.metatype) as AssistantOptions | undefined;
  }

  private register(wrapper: Wrapper, { timeoutSeconds, ...entry }: AssistantOptions): void {
    const origin = `@Assistant ${wrapper.name}`;
    if (!wrapper.isDependencyTreeStatic()) {
      throw new AgentInCodeError(`${origin}: is request-scoped; assistants must be singletons`);
    }
    if (wrapper.isTransient) {
      throw new AgentInCodeError(`${origin}: is transient; assistants must be singletons`);
    }
    const runner = wrapper.instance as AssistantRunner;
    if (typeof runner.run !== 'function') throw new AgentInCodeError(`${origin}: has no method run`);
    const timeoutMs = timeoutMsOf(timeoutSeconds, origin);
    this.registry.add(origin, entry, {
      runtime: new AssistantRuntime(this.throughNest(runner)),
      timeoutMs,
      origin: `${wrapper.name}.run`,
    });
  }

  /** The whole run is inside the pipeline, and not only the call that begins it: interceptors see its end. */
  private throughNest(runner: AssistantRunner): RunThroughNest {
    const whole = async (job: AssistantJob, context: AssistantContext, output: RunOutput): Promise<void> => {
      output.begin();
      const result: unknown = await runner.run(job, context);
      // A generator of either kind; a text is iterable as well.
      if (isIterable(result)) for await (const part of result) output.add(part);
      else output.add(result ?? '');
    };
    copyMetadata((runner as { run: object }).run, whole);
    return this.contexts.create(
      runner,
      whole as (...args: unknown[]) => unknown,
      'run',
      ROUTE_ARGS_METADATA,
      noPositionalArguments,
      undefined,
      undefined,
      { guards: true, interceptors: true, filters: false },
      ASSISTANT_CONTEXT,
    ) as RunThroughNest;
  }
}

function isIterable(result: unknown): result is AsyncIterable<unknown> | Iterable<unknown> {
  return (
    typeof result === 'object' &&
    result !== null &&
    (Symbol.asyncIterator in result || Symbol.iterator in result)
  );
}

/** Nest looks for guards and interceptors on the function that it calls. */
function copyMetadata(from: object, to: object): void {
  for (const key of Reflect.getMetadataKeys(from) as unknown[]) {
    Reflect.defineMetadata(key, Reflect.getMetadata(key, from), to);
  }
}

function timeoutMsOf(seconds: number = DEFAULT_TIMEOUT_SECONDS, origin: string): number {
  if (!(seconds > 0 && seconds <= MAX_TIMEOUT_SECONDS)) {
    throw new AgentInCodeError(
      `${origin}: timeoutSeconds: must be more than 0 and at most ${MAX_TIMEOUT_SECONDS}`,
    );
  }
  return seconds * 1000;
}
