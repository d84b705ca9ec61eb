export { Metrics } from './metrics.js';
export { MetricsModule } from './metrics.module.js';
export { ServiceMetricsModule } from './service-metrics.module.js';
