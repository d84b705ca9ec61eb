import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { MessageHandler } from './message.handler.js';
import { ProtoParamsPipe } from './proto-params.decorator.js';
import { TaskHandler } from './task.handler.js';
import { UnsupportedHandler } from './unsupported.handler.js';
import { V1Controller } from './v1.controller.js';

/** The A2A 1.0 wire. */
@Module({})
export class V1Module {
  /** @param imports the modules that provide the dispatcher, the use cases, accounts and the directory */
  static register({ imports }: Required<Pick<ModuleMetadata, 'imports'>>): DynamicModule {
    return {
      module: V1Module,
      imports,
      controllers: [V1Controller],
      providers: [MessageHandler, TaskHandler, UnsupportedHandler, ProtoParamsPipe],
    };
  }
}
