import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AssistantExplorer } from './assistant.explorer.js';
import { AssistantHost } from './assistant-host.service.js';
import { AssistantRegistry } from './assistant.registry.js';

/** Assistants that run in this process: every provider with `@Assistant`, in whatever module it is. */
@Module({})
export class AssistantsModule {
  /**
   * @param options.imports modules that provide `LocalComputers`, and whatever of `AssistantSettings`, `Clock` and the
   *   directory module is not global
   */
  static register(options: Pick<ModuleMetadata, 'imports'>): DynamicModule {
    return {
      module: AssistantsModule,
      imports: [DiscoveryModule, ...(options.imports ?? [])],
      providers: [AssistantRegistry, AssistantExplorer, AssistantHost],
    };
  }
}
