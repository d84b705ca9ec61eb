export { Expirer } from './expirer.service.js';
export { MaintenanceModule } from './maintenance.module.js';
export { MaintenanceSchedule } from './maintenance.schedule.js';
export { MaintenanceSettings } from './maintenance.settings.js';
export { Pruner } from './pruner.service.js';
export { Reconciler } from './reconciler.service.js';
