import { HandedPromise, type Neglected } from './handed-promise.js';

const failed = new Error('failed');
const fail = () => Promise.reject<string>(failed);

/** Everything that waits for promises has had its turn. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a promise that is handed to others', () => {
  let neglected: unknown[];
  const note: Neglected = (_promise, error) => neglected.push(error);
  beforeEach(() => {
    neglected = [];
  });

  it('is an ordinary promise for who waits for it', async () => {
    expect(await HandedPromise.of(() => 'text', note)).toBe('text');
    expect(await HandedPromise.of(async () => 'later', note)).toBe('later');
    await expect(HandedPromise.of(fail, note)).rejects.toBe(failed);
    const thrown = HandedPromise.of<string>(() => {
      throw failed;
    }, note);
    expect(await thrown.catch(() => 'caught')).toBe('caught');
    await settled();
    expect(neglected).toEqual([]);
  });

  it.each<[string, () => unknown]>([
    ['it', () => HandedPromise.of(fail, note)],
    ['what follows it', () => HandedPromise.of(fail, note).then((text) => text)],
    ['what its failure leads to', () => HandedPromise.of(fail, note).catch(() => Promise.reject(failed))],
    ['what comes at its end', () => HandedPromise.of(fail, note).finally(() => undefined)],
  ])('tells of a failure, and leaves the process alone, when nobody waits for %s', async (_, forget) => {
    // A rejection that nobody handles would fail the test, as it would end the process.
    forget();
    await settled();
    expect(neglected).toEqual([failed]);
  });

  it('knows who came late', async () => {
    const heard: HandedPromise<unknown>[] = [];
    const promise = HandedPromise.of(fail, (late) => heard.push(late));
    await settled();
    expect(heard.map((late) => late.isWaitedFor)).toEqual([false]);
    await expect(promise).rejects.toBe(failed);
    expect(heard.map((late) => late.isWaitedFor)).toEqual([true]);
  });
});
