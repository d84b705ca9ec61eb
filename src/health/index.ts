export { HealthModule, type HealthOptions } from './health.module.js';
export { ReadinessProbe } from './readiness-probe.js';
export { Readiness } from './readiness.js';
