import { NotSentError } from '../relay-protocol/index.js';
import { CallLine } from './call-line.js';

/** A call that ends when the test says so. */
function controlled() {
  let end: () => void = () => undefined;
  const started = { yes: false };
  const call = () => {
    started.yes = true;
    return new Promise<void>((resolve) => (end = resolve));
  };
  return { call, started, end: () => end() };
}

describe('CallLine', () => {
  it('[R2] lets calls past the bound wait, first come, first served', async () => {
    const line = new CallLine(1);
    const [first, second, third] = [controlled(), controlled(), controlled()];
    const runs = [first, second, third].map(({ call }) => line.run(1_000, call));
    await Promise.resolve();
    expect([first.started.yes, second.started.yes]).toEqual([true, false]);
    first.end();
    await runs[0];
    expect([second.started.yes, third.started.yes]).toEqual([true, false]);
    second.end();
    await runs[1];
    third.end();
    await runs[2];
  });

  it('[S8] refuses for certain what waited too long', async () => {
    const line = new CallLine(1);
    const first = controlled();
    const running = line.run(1_000, first.call);
    const second = controlled();
    await expect(line.run(1, second.call)).rejects.toBeInstanceOf(NotSentError);
    expect(second.started.yes).toBe(false);
    first.end();
    await running;
    const third = controlled();
    const after = line.run(1_000, third.call);
    third.end();
    await after;
  });

  it('[S8] refuses a line that is too long, and everybody when the link ends', async () => {
    const line = new CallLine(1);
    const first = controlled();
    const running = line.run(1_000, first.call);
    const waiting = Array.from({ length: 1_000 }, () =>
      line.run(60_000, async () => undefined).catch((error: Error) => error),
    );
    await expect(line.run(60_000, async () => undefined)).rejects.toBeInstanceOf(NotSentError);
    line.close();
    for (const outcome of await Promise.all(waiting)) expect(outcome).toBeInstanceOf(NotSentError);
    await expect(line.run(60_000, async () => undefined)).rejects.toBeInstanceOf(NotSentError);
    first.end();
    await running;
  });
});
