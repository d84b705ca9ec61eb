/** What maintenance needs to know from the settings; its own injection token. Intervals are milliseconds. */
export abstract class MaintenanceSettings {
  abstract readonly pruneIntervalMs: number;
  abstract readonly reconcileIntervalMs: number;
  /** Jobs asked about per computer and round. */
  abstract readonly reconcileBatch: number;
}
