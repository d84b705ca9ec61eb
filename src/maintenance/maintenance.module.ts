import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { Expirer } from './expirer.service.js';
import { MaintenanceSchedule } from './maintenance.schedule.js';
import { Pruner } from './pruner.service.js';
import { Reconciler } from './reconciler.service.js';

/** What runs on a schedule. */
@Module({})
export class MaintenanceModule {
  /** @param imports the modules that provide the task store, the refresher and the relay's sessions */
  static register({ imports = [] }: Pick<ModuleMetadata, 'imports'>): DynamicModule {
    return {
      module: MaintenanceModule,
      imports,
      providers: [Expirer, Pruner, Reconciler, MaintenanceSchedule],
      exports: [Expirer, Pruner, Reconciler, MaintenanceSchedule],
    };
  }
}
