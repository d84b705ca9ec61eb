import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { TypeOrmModule, getDataSourceToken } from '@nestjs/typeorm';
import type { DataSourceOptions } from 'typeorm';
import { driver } from '../../ormconfig.js';
import { READER, WRITER, WriteQueue } from '../common/index.js';
import { DatabaseHealth } from './database-health.js';
import { DatabaseSettings } from './database-settings.js';
import { openReader, openWriter } from './data-sources.js';
import { SqliteWriteQueue } from './sqlite-write-queue.js';

/** A database that cannot be opened stays so: a start that says why beats one that tries for half a minute. */
const noRetries = { toRetry: () => false };

function optionsFor(settings: DatabaseSettings): DataSourceOptions & typeof noRetries {
  return { ...driver, database: settings.path, ...noRetries };
}

function databaseOf(options: DataSourceOptions | undefined): string {
  if (typeof options?.database !== 'string') throw new Error('The database has no path');
  return options.database;
}

/**
 * The two data sources (`WRITER` and `READER`; the default one is left to the application), the write queue and the health of the
 * database; global, so that every store can inject them.
 */
@Module({})
export class DatabaseModule {
  /** @param options.imports modules that provide `DatabaseSettings`, unless a global one does */
  static register(options: Pick<ModuleMetadata, 'imports'> = {}): DynamicModule {
    const imports = options.imports ?? [];
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRootAsync({
          imports,
          name: WRITER,
          inject: [DatabaseSettings],
          useFactory: optionsFor,
          dataSourceFactory: (source) => openWriter(databaseOf(source)),
        }),
        TypeOrmModule.forRootAsync({
          imports,
          name: READER,
          // The writer is named as well, so that the schema is there before anything reads.
          inject: [DatabaseSettings, getDataSourceToken(WRITER)],
          useFactory: optionsFor,
          dataSourceFactory: (source) => openReader(databaseOf(source)),
        }),
      ],
      providers: [{ provide: WriteQueue, useClass: SqliteWriteQueue }, DatabaseHealth],
      exports: [WriteQueue, DatabaseHealth],
    };
  }
}
