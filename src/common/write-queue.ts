import type { EntityManager } from 'typeorm';
import { UnavailableFailure } from './http-failures.js';

/**
 * The one way to change the database (ADR 0002). Units of work run one after another and are committed in
 * groups; the returned promise settles after the commit, so what it reports is on disk.
 *
 * A unit that throws is undone alone and its error is passed on. A unit must await nothing but its own
 * statements: every other write waits for it. It may run a second time when its group's commit failed.
 */
export abstract class WriteQueue {
  /** @throws StorageUnavailableError when the database cannot be written (read-only, full, locked for too long). */
  abstract write<T>(unit: (manager: EntityManager) => Promise<T>): Promise<T>;
}

/** Name of the TypeORM data source that is used for reading alone. */
export const READER = 'reader';

/** The database cannot be read or written at the moment; nothing was changed. The caller gets HTTP 503. */
export class StorageUnavailableError extends UnavailableFailure {
  override readonly logLevel = 'error';

  constructor(cause?: unknown) {
    super('The task store is not available at the moment');
    this.cause = cause;
  }
}
