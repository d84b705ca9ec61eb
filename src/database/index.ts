export { DatabaseHealth } from './database-health.js';
export { DatabaseModule } from './database.module.js';
export { DatabaseSettings } from './database-settings.js';
export { DatabaseStartError, openReader, openWriter, type OpenOptions } from './data-sources.js';
export { ENTITIES, MIGRATIONS } from './schema.js';
export { SqliteWriteQueue } from './sqlite-write-queue.js';
