import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { MessageHandler } from './message.handler.js';
import { JsonParamsPipe } from './params.decorator.js';
import { StreamHandler } from './stream.handler.js';
import { TaskHandler } from './task.handler.js';
import { UnsupportedHandler } from './unsupported.handler.js';
import { V03Controller } from './v03.controller.js';

/** The A2A 0.3 wire. Needs `V03Settings` from a global module. */
@Module({})
export class V03Module {
  /** @param imports the modules that provide the endpoint, the use cases, accounts and the directory */
  static register({ imports }: Required<Pick<ModuleMetadata, 'imports'>>): DynamicModule {
    return {
      module: V03Module,
      imports,
      controllers: [V03Controller],
      providers: [MessageHandler, StreamHandler, TaskHandler, UnsupportedHandler, JsonParamsPipe],
    };
  }
}
