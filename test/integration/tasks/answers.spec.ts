import {
  InvalidParamsError,
  TaskNotFoundError,
  UnsupportedOperationError,
  messageText,
} from '../../../src/a2a/index.js';
import { UnavailableFailure } from '../../../src/common/index.js';
import type { InputOutcome } from '../../../src/tasks/index.js';
import { report } from '../../support/scripted-executor.js';
import {
  COMPUTER,
  SCOPE,
  answering,
  eventually,
  gate,
  sending,
  startTaskSystem,
  type TaskSystem,
} from '../../support/task-system.js';

describe('the answer to a question', () => {
  let system: TaskSystem;
  beforeEach(async () => {
    system = await startTaskSystem();
  });
  afterEach(async () => {
    await system.stop();
    system.remove();
  });

  /** A task that asks, with revision 2. */
  async function asking(): Promise<string> {
    const { id } = await system.send.execute(sending({ interactive: true }));
    await system.reports.take(COMPUTER, report(id, 'input_required', 2, { statusText: 'Send it?' }));
    return id;
  }

  function taken(taskId: string, revision = 3): InputOutcome {
    return { kind: 'reported', report: report(taskId, 'working', revision) };
  }

  async function said(taskId: string): Promise<string[]> {
    return (await system.store.history(taskId)).map(messageText);
  }

  it('[P6] is on disk before the daemon hears of it, and the same task goes on', async () => {
    const id = await asking();
    let stored: string | undefined;
    system.executor.onAnswer = async () => {
      const message = await system.store.pendingAnswer(id);
      stored = message && messageText(message);
      return taken(id);
    };
    const task = await system.continue.execute(answering(id));
    expect([task.id, task.state, task.pendingAnswer, stored]).toEqual([id, 'working', undefined, 'Hello']);
    expect(await said(id)).toEqual(['Hello', 'Send it?', 'Hello']);
  });

  it('[P6] [P3] is waited for until the task is over or asks again', async () => {
    const id = await asking();
    system.executor.onAnswer = () => taken(id);
    const waiting = system.continue.execute(answering(id, { returnImmediately: false }));
    await eventually(() => system.waits.waiting === 1);
    await system.reports.take(COMPUTER, report(id, 'input_required', 4, { statusText: 'Now?' }));
    expect(await waiting).toMatchObject({ state: 'input_required', statusText: 'Now?' });
  });

  it('[P6] [S5] reaches the daemon once, however often and concurrently it is sent', async () => {
    const id = await asking();
    const daemon = gate();
    system.executor.onAnswer = async () => {
      await daemon.passed;
      return taken(id);
    };
    const request = answering(id);
    const copies = Array.from({ length: 20 }, () => system.continue.execute(request));
    await eventually(() => system.executor.answers.length > 0);
    daemon.open();
    const tasks = await Promise.all(copies);
    expect(new Set(tasks.map(({ state }) => state))).toEqual(new Set(['working']));
    expect(await system.continue.execute(request)).toMatchObject({ id, state: 'working' });
    expect(system.executor.answers).toHaveLength(1);
  });

  it('[P6] [S8] is refused and gone when it was certainly not handed over', async () => {
    const id = await asking();
    system.executor.onAnswer = () => ({ kind: 'not_sent' });
    await expect(system.continue.execute(answering(id))).rejects.toThrow(UnavailableFailure);
    system.executor.available = false;
    await expect(system.continue.execute(answering(id))).rejects.toThrow(UnavailableFailure);
    expect(await said(id)).toEqual(['Hello', 'Send it?']);
    system.executor.available = true;
    system.executor.onAnswer = () => taken(id);
    expect(await system.continue.execute(answering(id))).toMatchObject({ state: 'working' });
  });

  it('[P6] is refused when the job does not wait for it any more', async () => {
    const id = await asking();
    system.executor.onAnswer = () => ({ kind: 'not_waiting' });
    await expect(system.continue.execute(answering(id))).rejects.toThrow(UnsupportedOperationError);
    expect(await said(id)).toEqual(['Hello', 'Send it?']);
  });

  it('[P6] that may not have arrived is sent again when the daemon is found still waiting, and only then', async () => {
    const id = await asking();
    system.executor.onAnswer = () => ({ kind: 'uncertain' });
    const uncertain = await system.continue.execute(answering(id));
    expect(uncertain).toMatchObject({ state: 'input_required', pendingAnswer: 2 });

    system.executor.onAnswer = () => taken(id);
    system.executor.onStatus = () => [{ kind: 'reported', report: report(id, 'working', 3) }];
    await system.refresher.reconcile(COMPUTER, 10);
    expect(system.executor.answers).toHaveLength(1);
    expect((await system.store.find(SCOPE, id, Date.now()))?.pendingAnswer).toBeUndefined();
  });

  it('[P6] [K4] survives a restart between its writing and its delivery', async () => {
    const id = await asking();
    system.executor.onAnswer = () => ({ kind: 'uncertain' });
    await system.continue.execute(answering(id));
    await system.stop();

    const restarted = await startTaskSystem({ path: system.path });
    try {
      const waiting = report(id, 'input_required', 2, { statusText: 'Send it?' });
      restarted.executor.onStatus = () => [{ kind: 'reported', report: waiting }];
      restarted.executor.onAnswer = () => taken(id);
      await restarted.refresher.reconcile(COMPUTER, 10);
      expect(restarted.executor.answers.map(({ message }) => message.text)).toEqual(['Hello']);
      expect(await restarted.store.find(SCOPE, id, Date.now())).toMatchObject({ state: 'working' });
      await restarted.refresher.reconcile(COMPUTER, 10);
      expect(restarted.executor.answers).toHaveLength(1);
    } finally {
      await restarted.stop();
      system = await startTaskSystem();
    }
  });

  it('[P6] [B82] [B83] is refused for a task that is over, runs, is not there, or has another context', async () => {
    const id = await asking();
    const wrong = answering(id, { contextId: 'another' });
    await expect(system.continue.execute(wrong)).rejects.toThrow(InvalidParamsError);
    await expect(system.continue.execute(answering('nothing'))).rejects.toThrow(TaskNotFoundError);
    const foreign = answering(id, { scope: { ...SCOPE, accountId: 'bob' } });
    await expect(system.continue.execute(foreign)).rejects.toThrow(TaskNotFoundError);
    for (const state of ['working', 'completed'] as const) {
      await system.reports.take(COMPUTER, report(id, state, state === 'working' ? 3 : 4));
      await expect(system.continue.execute(answering(id))).rejects.toThrow(UnsupportedOperationError);
    }
    expect(system.executor.answers).toEqual([]);
  });
});
