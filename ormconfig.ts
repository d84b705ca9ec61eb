import type { DataSourceOptions } from 'typeorm';
import { preparedSqlite } from './src/database/prepared-sqlite.js';

type Driver = Pick<Extract<DataSourceOptions, { type: 'sqlite' }>, 'type' | 'driver'>;

/** The choice of database driver lives here alone (ADR 0001). */
export const driver: Driver = { type: 'sqlite', driver: preparedSqlite };
