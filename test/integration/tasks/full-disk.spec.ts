import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { StorageUnavailableError } from '../../../src/common/index.js';
import { report } from '../../support/scripted-executor.js';
import { SCOPE, sending, startTaskSystem, type TaskSystem } from '../../support/task-system.js';

let system: TaskSystem;
beforeEach(async () => {
  system = await startTaskSystem();
});
afterEach(async () => {
  await system.stop();
  system.remove();
});

/** From now on nothing that a computer says can be stored. */
function fillDisk() {
  const full = () => Promise.reject(new StorageUnavailableError());
  jest.spyOn(system.store, 'applyReport').mockImplementation(full);
  jest.spyOn(system.store, 'failUnknown').mockImplementation(full);
}

describe('a store that can be read and not written', () => {
  it('[G1] GetTask answers with what is known when the computer’s answer cannot be stored', async () => {
    const { id } = await system.send.execute(sending());
    fillDisk();
    system.executor.onStatus = () => [{ kind: 'reported', report: report(id, 'working', 5) }];
    const both = await Promise.all([system.get.execute(SCOPE, id), system.get.execute(SCOPE, id)]);
    expect(both.map(({ state }) => state)).toEqual(['submitted', 'submitted']);
    system.executor.onStatus = () => [{ kind: 'unknown', taskId: id }];
    expect((await system.get.execute(SCOPE, id)).state).toBe('submitted');
  });

  it('[S1] [S2] [S8] a send whose job was taken answers with its task, though that cannot be noted down', async () => {
    fillDisk();
    const request = sending();
    const task = await system.send.execute(request);
    expect(task).toMatchObject({ state: 'submitted', revision: 0 });
    expect((await system.send.execute(request)).id).toBe(task.id);
    expect(system.executor.orders.map(({ taskId }) => taskId)).toEqual([task.id]);
  });
});
