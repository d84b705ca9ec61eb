import type { DataSourceOptions } from 'typeorm';
import { preparedSqlite } from './src/database/prepared-sqlite.js';

/** The choice of database driver lives here alone (ADR 0001). */
export const driver = { type: 'sqlite', driver: preparedSqlite } as const satisfies Pick<
  Extract<DataSourceOptions, { type: 'sqlite' }>,
  'type' | 'driver'
>;
