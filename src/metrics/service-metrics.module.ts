import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { DatabaseMetrics } from './sources/database.metrics.js';
import { LoginMetrics } from './sources/login.metrics.js';
import { MaintenanceMetrics } from './sources/maintenance.metrics.js';
import { RelayMetrics } from './sources/relay.metrics.js';
import { RpcMetrics } from './sources/rpc.metrics.js';
import { TaskMetrics } from './sources/task.metrics.js';

/** What the modules count, as metrics: they know nothing of it and are read when `/metrics` is asked for. */
@Module({})
export class ServiceMetricsModule {
  /** @param imports the modules whose numbers are shown, as far as they are not global */
  static register({ imports }: Required<Pick<ModuleMetadata, 'imports'>>): DynamicModule {
    return {
      module: ServiceMetricsModule,
      imports,
      providers: [RpcMetrics, TaskMetrics, RelayMetrics, DatabaseMetrics, MaintenanceMetrics, LoginMetrics],
    };
  }
}
