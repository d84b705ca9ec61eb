import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { SpanContext } from '@opentelemetry/api';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import {
  Distribution,
  type GroupWork,
  SHORT_SECONDS,
  StorageUnavailableError,
  WriteQueue,
  currentSpan,
  describeError,
  isStorageFailure,
  traced,
  WRITER,
} from '../common/index.js';

/** Past this many waiting units the database is too slow for what arrives; more are refused at once. */
const MAX_WAITING = 10_000;
/** Bounds how long the first caller of a group waits for the last one's statements. */
const MAX_GROUP = 256;

interface PendingUnit {
  work: GroupWork<unknown, unknown>;
  input: unknown;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
  /** Under which the commit would stand, if it were not that of many. */
  span: SpanContext | undefined;
}

/**
 * Group commit (ADR 0002): what arrived while the last commit was on its way is written in one transaction, and each
 * caller is answered after it. So `synchronous=FULL` costs one flush to disk a group and not one a write.
 *
 * Units of the same work run as one. When a unit throws or the group cannot be committed, everything is undone and its
 * units are repeated singly, so that a bad one fails alone; savepoints would cost every good one two statements.
 */
@Injectable()
export class SqliteWriteQueue extends WriteQueue implements BeforeApplicationShutdown {
  readonly #logger = new Logger(SqliteWriteQueue.name);
  readonly #waiting: PendingUnit[] = [];
  readonly #runner: QueryRunner;
  #flushing: Promise<void> | undefined;
  #closed = false;
  /** Units of each committed group, and how long each commit took from its beginning; for metrics. */
  readonly groupSizes = new Distribution([1, 2, 4, 8, 16, 32, 64, 128, MAX_GROUP]);
  readonly commitSeconds = new Distribution(SHORT_SECONDS);

  constructor(@InjectDataSource(WRITER) writer: DataSource) {
    super();
    this.#runner = writer.createQueryRunner();
  }

  /** Units that wait for their turn; for metrics. */
  get length(): number {
    return this.#waiting.length;
  }

  override write<T>(unit: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.writeTogether<undefined, T>(async (manager) => [await unit(manager)], undefined);
  }

  override writeTogether<Input, Outcome>(work: GroupWork<Input, Outcome>, input: Input): Promise<Outcome> {
    if (this.#closed || this.#waiting.length >= MAX_WAITING) {
      return Promise.reject(new StorageUnavailableError());
    }
    return new Promise<Outcome>((resolve, reject) => {
      this.#waiting.push({
        work: work as GroupWork<unknown, unknown>,
        input,
        resolve: resolve as (value: unknown) => void,
        reject,
        span: currentSpan(),
      });
      this.#flushing ??= this.#flush();
    });
  }

  /** Resolves once everything that was taken is committed or refused. */
  async drain(): Promise<void> {
    while (this.#flushing) await this.#flushing;
  }

  /** Before the data sources close, which happens in the phase after this one (requirement R8). */
  async beforeApplicationShutdown(): Promise<void> {
    this.#closed = true;
    await this.drain();
  }

  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) await this.#traceCommit(this.#waiting.splice(0, MAX_GROUP));
    this.#flushing = undefined;
  }

  /** A span of its own, linked to those of the callers it serves. */
  async #traceCommit(group: PendingUnit[]): Promise<void> {
    const links = group.flatMap(({ span }) => span ?? []);
    const attributes = { 'hello.commit.group_size': group.length };
    await traced('database commit', { kind: 'internal', root: true, attributes, links }, () =>
      this.#commit(group),
    );
  }

  async #commit(group: PendingUnit[]): Promise<void> {
    const startedAtMs = performance.now();
    try {
      await this.#runner.query('BEGIN IMMEDIATE');
      this.#markActive(true);
    } catch (error) {
      this.#refuse(group, error);
      return;
    }
    try {
      const settle = await this.#run(group);
      await this.#runner.query('COMMIT');
      this.#markActive(false);
      this.groupSizes.observe(group.length);
      this.commitSeconds.observe((performance.now() - startedAtMs) / 1000);
      for (const answer of settle) answer();
    } catch (error) {
      await this.#rollBack();
      if (group.length === 1) this.#refuse(group, error);
      else for (const unit of group) await this.#commit([unit]);
    }
  }

  /** @returns what to tell the callers after the commit */
  async #run(group: PendingUnit[]): Promise<(() => void)[]> {
    const settle: (() => void)[] = [];
    for (const [work, units] of byWork(group)) {
      const outcomes = await work(
        this.#runner.manager,
        units.map(({ input }) => input),
      );
      units.forEach((unit, place) => settle.push(() => unit.resolve(outcomes[place])));
    }
    return settle;
  }

  /** Some failures (disk full) have undone the transaction already; then there is nothing left to roll back. */
  async #rollBack(): Promise<void> {
    this.#markActive(false);
    await this.#runner.query('ROLLBACK').catch(() => undefined);
  }

  /** TypeORM's own IMMEDIATE does not exist, so it is told; else a unit's `save()` would begin a second transaction. */
  #markActive(active: boolean): void {
    (this.#runner as { isTransactionActive: boolean }).isTransactionActive = active;
  }

  #refuse(group: PendingUnit[], error: unknown): void {
    const unavailable = isStorageFailure(error);
    if (unavailable) this.#logger.error(`The database cannot be written: ${describeError(error)}`);
    for (const unit of group) {
      unit.reject(unavailable ? new StorageUnavailableError(error) : error);
    }
  }
}

/** In the order in which each work came first. */
function byWork(group: PendingUnit[]): Map<PendingUnit['work'], PendingUnit[]> {
  const units = new Map<PendingUnit['work'], PendingUnit[]>();
  for (const unit of group) {
    const alike = units.get(unit.work);
    if (alike) alike.push(unit);
    else units.set(unit.work, [unit]);
  }
  return units;
}
