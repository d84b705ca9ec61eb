import { DataSource } from 'typeorm';
import { TaskNotFoundError } from '../../../src/a2a/index.js';
import { Clock } from '../../../src/common/index.js';
import type { TaskState } from '../../../src/a2a/index.js';
import { Expirer, Pruner } from '../../../src/maintenance/index.js';
import { report } from '../../support/scripted-executor.js';
import {
  COMPUTER,
  SCOPE,
  eventually,
  sending,
  startTaskSystem,
  type TaskSystem,
} from '../../support/task-system.js';

const DAY_MS = 24 * 3_600_000;

class SetClock extends Clock {
  atMs = Date.UTC(2026, 8, 7);
  now(): number {
    return this.atMs;
  }
}

describe('seven days after its creation', () => {
  let system: TaskSystem;
  const clock = new SetClock();
  beforeEach(async () => {
    system = await startTaskSystem({ clock });
  });
  afterEach(async () => {
    await system.stop();
    system.remove();
  });

  const rows = async (table: string): Promise<number> => {
    const database = await new DataSource({ type: 'sqlite', database: system.path }).initialize();
    const [row] = await database.query<{ count: number }[]>(`SELECT count(*) AS count FROM ${table}`);
    await database.destroy();
    return row?.count ?? 0;
  };

  it.each<TaskState>(['submitted', 'working', 'input_required', 'completed', 'failed', 'canceled'])(
    '[K2] [B108] a task that is %s is gone, however lately it got there, and until then it is there',
    async (state) => {
      const { id } = await system.send.execute(sending());
      clock.atMs += 7 * DAY_MS - 1;
      if (state !== 'submitted') await system.reports.take(COMPUTER, report(id, state, 3));
      expect(await system.store.find(SCOPE, id, clock.now())).toMatchObject({ id, state });
      clock.atMs += 1;
      await expect(system.get.execute(SCOPE, id)).rejects.toBeInstanceOf(TaskNotFoundError);
      await expect(system.cancel.execute(SCOPE, id)).rejects.toBeInstanceOf(TaskNotFoundError);
    },
  );

  it('[K2] [B108] deleting leaves nothing behind, harms no younger task and no GetTask that runs beside it', async () => {
    const old = await Promise.all(Array.from({ length: 30 }, () => system.send.execute(sending())));
    clock.atMs += 6 * DAY_MS;
    const young = await Promise.all(Array.from({ length: 10 }, () => system.send.execute(sending())));
    clock.atMs += DAY_MS;
    const reads = [...old, ...young].map(({ id }) => system.get.execute(SCOPE, id));
    await system.store.endExpired(100, 'late', clock.now());
    const deleting = system.store.deleteExpired(100, clock.now());
    const results = await Promise.allSettled(reads);
    expect(results.map(({ status }) => status)).toEqual([
      ...old.map(() => 'rejected'),
      ...young.map(() => 'fulfilled'),
    ]);
    expect((await deleting).map(({ taskId }) => taskId).sort()).toEqual(old.map(({ id }) => id).sort());
    expect([await rows('tasks'), await rows('messages')]).toEqual([10, 10]);
  });

  describe('work that is still open', () => {
    const expirer = () => new Expirer(system.reports, system.executor, clock);

    it.each<TaskState>(['submitted', 'working'])(
      '[K2] [B108] is ended when it is %s: who waits and who streams is told, and its computer is asked to stop',
      async (state) => {
        const task = await system.send.execute(sending());
        await system.reports.take(COMPUTER, report(task.id, state, 2));
        const signal = new AbortController().signal;
        const stream = await system.streams.ofTask(SCOPE, task.id, signal);
        const waiting = system.waits.untilSettled(task, { spentMs: 0, signal });
        await eventually(() => system.events.listenerCount === 2);
        clock.atMs += 7 * DAY_MS - 1;
        expect(await expirer().runOnce()).toBe(0);
        clock.atMs += 1;
        expect(await expirer().runOnce()).toBe(1);

        const end = {
          id: task.id,
          state: 'failed',
          statusText: expect.stringContaining('not finished within'),
        };
        expect(await waiting).toMatchObject(end);
        const seen = [];
        for await (const event of stream) seen.push(event);
        expect(seen.at(-1)).toMatchObject({ kind: 'status', final: true, task: end });
        expect(system.executor.canceled).toEqual([task.id]);
        expect(await system.store.find(SCOPE, task.id, clock.now())).toBeUndefined();
        const late = await system.reports.take(COMPUTER, report(task.id, 'completed', 3, { reply: 'late' }));
        expect(late).toEqual({ kind: 'unknown' });
      },
    );

    it('[K2] [B108] is ended before it is deleted, its computer is told to forget it, and nothing stays', async () => {
      system.executor.onCancel = (id) => ({ kind: 'reported', report: report(id, 'canceled', 2) });
      const tasks = await Promise.all(Array.from({ length: 250 }, () => system.send.execute(sending())));
      const ended: string[] = [];
      for (const { id } of tasks) system.events.subscribe(id, () => ended.push(id));
      clock.atMs += 7 * DAY_MS;
      const pruner = new Pruner(system.reports, system.executor, expirer(), clock);
      expect(await pruner.runOnce()).toBe(250);
      const ids = tasks.map(({ id }) => id).sort();
      expect([ended.sort(), system.executor.forgotten.sort()]).toEqual([ids, ids]);
      await eventually(() => system.executor.canceled.length === 250);
      expect([await rows('tasks'), await rows('messages'), await rows('task_totals')]).toEqual([0, 0, 0]);
    });

    it('[K2] of a computer that does not answer is asked to stop once a batch, and ended all the same', async () => {
      await Promise.all(Array.from({ length: 150 }, () => system.send.execute(sending())));
      clock.atMs += 7 * DAY_MS;
      expect(await expirer().runOnce()).toBe(150);
      expect(system.executor.canceled).toHaveLength(2);
    });
  });
});
