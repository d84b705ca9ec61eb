import { DataSource } from 'typeorm';
import { TaskNotFoundError } from '../../../src/a2a/index.js';
import { Clock } from '../../../src/common/index.js';
import type { TaskState } from '../../../src/a2a/index.js';
import { report } from '../../support/scripted-executor.js';
import { COMPUTER, SCOPE, sending, startTaskSystem, type TaskSystem } from '../../support/task-system.js';

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
    const deleting = system.store.deleteExpired(100, clock.now());
    const results = await Promise.allSettled(reads);
    expect(results.map(({ status }) => status)).toEqual([
      ...old.map(() => 'rejected'),
      ...young.map(() => 'fulfilled'),
    ]);
    expect((await deleting).map(({ taskId }) => taskId).sort()).toEqual(old.map(({ id }) => id).sort());
    expect([await rows('tasks'), await rows('messages')]).toEqual([10, 10]);
  });
});
