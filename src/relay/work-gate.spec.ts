import { WorkGate } from './work-gate.js';

function deferred(): { promise: Promise<void>; resolve: () => void; reject: (error: Error) => void } {
  let resolve: () => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

describe('WorkGate', () => {
  it('[R7] runs no more than the limit at once, in order, and says when it is full and when there is room', async () => {
    const calls: string[] = [];
    const gate = new WorkGate(2, {
      pause: () => calls.push('full'),
      resume: () => calls.push('room'),
    });
    const work = [deferred(), deferred(), deferred(), deferred()];
    const runs = work.map(({ promise }, n) =>
      gate.run(() => {
        calls.push(`run ${n}`);
        return promise;
      }),
    );
    expect(calls).toEqual(['run 0', 'run 1', 'full']);
    expect(gate.size).toBe(4);
    work[1]?.resolve();
    await runs[1];
    work[0]?.resolve();
    await runs[0];
    await Promise.resolve();
    expect(calls).toEqual(['run 0', 'run 1', 'full', 'run 2', 'room', 'run 3']);
    work[2]?.resolve();
    work[3]?.resolve();
    await Promise.all(runs);
    expect(gate.size).toBe(0);
  });

  it('[R7] work that fails gives its place on', async () => {
    const gate = new WorkGate(1, { pause: () => undefined, resume: () => undefined });
    const first = deferred();
    const failing = gate.run(() => first.promise);
    const next = gate.run(async () => 'done');
    first.reject(new Error('no'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('done');
    expect(gate.size).toBe(0);
  });
});
