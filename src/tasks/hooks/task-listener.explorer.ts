import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { unreachableProvider } from '../../common/index.js';
import { TASK_LISTENER, type TaskListenerRecord } from './on-task-event.decorator.js';
import { TASK_EVENT_KINDS } from './task-hook-events.js';
import { TaskHooks, type TaskHook } from './task-hooks.service.js';

type Wrapper = ReturnType<DiscoveryService['getProviders']>[number];
type Host = Record<string, TaskHook['listen']>;

/** Finds the methods with `@OnTaskEvent` once, at start-up. Misuse stops the start and names class and method. */
@Injectable()
export class TaskListenerExplorer implements OnModuleInit {
  private readonly scanner = new MetadataScanner();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly hooks: TaskHooks,
  ) {}

  onModuleInit(): void {
    const wrappers = [...this.discovery.getProviders(), ...this.discovery.getControllers()];
    for (const wrapper of wrappers) {
      if (wrapper.metatype && !wrapper.isAlias) this.register(wrapper, wrapper.metatype.prototype as Host);
    }
    const unreachable = unreachableProvider(wrappers, wrappers, ({ prototype }) =>
      this.listens(prototype as Host | undefined),
    );
    if (unreachable !== undefined) throw new Error(`@OnTaskEvent ${unreachable}`);
  }

  private listens(prototype: Host | undefined): boolean {
    if (!prototype) return false;
    return this.scanner.getAllMethodNames(prototype).some((name) => recordOf(prototype[name]));
  }

  private register(wrapper: Wrapper, prototype: Host | undefined): void {
    if (!prototype) return;
    for (const name of this.scanner.getAllMethodNames(prototype)) {
      const record = recordOf(prototype[name]);
      if (!record) continue;
      const origin = `${wrapper.name}.${name}`;
      if (!wrapper.isDependencyTreeStatic()) {
        throw new Error(`@OnTaskEvent ${origin}: the class is request-scoped; listeners must be singletons`);
      }
      if (wrapper.isTransient) {
        throw new Error(`@OnTaskEvent ${origin}: the class is transient; listeners must be singletons`);
      }
      const unknown = record.kinds.filter((kind) => !TASK_EVENT_KINDS.includes(kind));
      if (unknown.length > 0 || record.kinds.length === 0) {
        throw new Error(`@OnTaskEvent ${origin}: the events are ${TASK_EVENT_KINDS.join(', ')}`);
      }
      const host = wrapper.instance as Host;
      const { texts, kinds } = record;
      this.hooks.add({ kinds: new Set(kinds), texts, origin, listen: (event) => host[name]?.(event) });
    }
  }
}

function recordOf(method: object | undefined): TaskListenerRecord | undefined {
  return method && (Reflect.getMetadata(TASK_LISTENER, method) as TaskListenerRecord | undefined);
}
