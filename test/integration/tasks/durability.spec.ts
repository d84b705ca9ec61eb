import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Clock } from '../../../src/common/index.js';
import { report } from '../../support/scripted-executor.js';
import { COMPUTER, SCOPE, sending, startTaskSystem } from '../../support/task-system.js';

class SetClock extends Clock {
  constructor(public nowMs: number) {
    super();
  }

  now(): number {
    return this.nowMs;
  }
}

const DAY = 24 * 60 * 60 * 1000;

describe('keeping', () => {
  it('[K4] [S1] has every answered send on disk, as the files stand at the moment of the answer', async () => {
    const system = await startTaskSystem();
    const sent = await Promise.all(Array.from({ length: 40 }, () => system.send.execute(sending())));
    const done = sent[0];
    await system.reports.take(COMPUTER, report(done?.id ?? '', 'completed', 2, { reply: 'Hi' }));
    // What a killed process leaves behind: the files as they are, without the tidying of an orderly end.
    const folder = join(dirname(system.path), 'crashed');
    mkdirSync(folder);
    for (const suffix of ['', '-wal']) {
      if (existsSync(system.path + suffix))
        copyFileSync(system.path + suffix, join(folder, `a2a.sqlite${suffix}`));
    }
    const restored = await startTaskSystem({ path: join(folder, 'a2a.sqlite') });
    for (const task of sent) {
      expect(await restored.store.find(SCOPE, task.id, Date.now())).toMatchObject({
        state: task === done ? 'completed' : 'submitted',
      });
      expect(await restored.store.history(task.id)).toHaveLength(1);
    }
    expect(await restored.store.count(SCOPE, {}, Date.now())).toBe(40);
    await restored.stop();
    await system.stop();
    system.remove();
  });

  it('[S5] [S9] [K4] knows retry keys and the quota after a restart', async () => {
    const first = await startTaskSystem({ messagesPerHour: 1 });
    const request = sending();
    const task = await first.send.execute(request);
    await first.stop();
    const second = await startTaskSystem({ path: first.path, messagesPerHour: 1 });
    expect((await second.send.execute(request)).id).toBe(task.id);
    await expect(second.send.execute(sending())).rejects.toMatchObject({ status: 429 });
    expect(second.executor.orders).toEqual([]);
    await second.stop();
    first.remove();
  });

  it('[K2] frees the retry key, the context and the task after the time of retention', async () => {
    const clock = new SetClock(1_800_000_000_000);
    const system = await startTaskSystem({ clock, retentionMs: 7 * DAY });
    const request = sending();
    const task = await system.send.execute(request);
    clock.nowMs += 7 * DAY;
    expect(await system.get.stored(SCOPE, task.id)).toBeUndefined();
    await expect(system.send.execute(sending({ contextId: task.contextId }))).rejects.toMatchObject({
      code: -32602,
    });
    expect((await system.send.execute(request)).id).not.toBe(task.id);
    await system.stop();
    system.remove();
  });

  it('[B141] stays consistent under sends, reports, cancels, lists and pruning all at once', async () => {
    const system = await startTaskSystem();
    system.executor.onCancel = (id) => ({ kind: 'reported', report: report(id, 'canceled', 2) });
    const work = Array.from({ length: 50 }, async (_, n) => {
      const { id } = await system.send.execute(sending());
      const ends = [
        n % 2 === 0
          ? system.cancel.execute(SCOPE, id).catch(() => undefined)
          : system.reports.take(COMPUTER, report(id, 'completed', 2)),
        system.store.deleteExpired(100, Date.now()),
        system.list.execute({ scope: SCOPE, filter: {}, pageSize: 10 }),
      ];
      await Promise.all(ends);
    });
    await Promise.all(work);
    const totals = await Promise.all(
      (['submitted', 'completed', 'canceled'] as const).map((state) =>
        system.store.count(SCOPE, { state }, Date.now()),
      ),
    );
    expect(totals).toEqual([0, 25, 25]);
    await system.stop();
    system.remove();
  });
});
