import type { DataSourceOptions } from 'typeorm';

/** The choice of database driver lives here alone (ADR 0001). */
export const driver = { type: 'sqlite' } as const satisfies Pick<DataSourceOptions, 'type'>;
