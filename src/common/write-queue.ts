import type { EntityManager } from 'typeorm';
import { UnavailableFailure } from './http-failures.js';

/**
 * Work that is done for several inputs at once, with few statements.
 * @returns the outcomes in the order of the inputs
 */
export type GroupWork<Input, Outcome> = (manager: EntityManager, inputs: Input[]) => Promise<Outcome[]>;

/**
 * The one way to change the database (ADR 0002). Units of work run one after another and are committed in
 * groups; the returned promise settles after the commit, so what it reports is on disk.
 *
 * A unit that throws is undone alone and its error is passed on. A unit must await nothing but its own
 * statements: every other write waits for it. It may run a second time when its group could not be committed.
 */
export abstract class WriteQueue {
  /** @throws StorageUnavailableError when the database cannot be written (read-only, full, locked for too long). */
  abstract write<T>(unit: (manager: EntityManager) => Promise<T>): Promise<T>;

  /**
   * A unit that shares its statements with its like: the inputs that wait for the same work are handed to it together,
   * in the order in which they came. Between units of different kinds there is no order while both wait.
   * @param work always the same function for what belongs together
   * @throws StorageUnavailableError as `write` does
   */
  abstract writeTogether<Input, Outcome>(work: GroupWork<Input, Outcome>, input: Input): Promise<Outcome>;
}

/** Names of the TypeORM data sources: through one everything is written, the other is for reading alone. */
export const WRITER = 'hello-api-writer';
export const READER = 'hello-api-reader';

/** The database cannot be read or written at the moment; nothing was changed. The caller gets HTTP 503. */
export class StorageUnavailableError extends UnavailableFailure {
  override readonly logLevel = 'error';

  constructor(cause?: unknown) {
    super('The task store is not available at the moment');
    this.cause = cause;
  }
}
