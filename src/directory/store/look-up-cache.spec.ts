import { LookUpCache } from './look-up-cache.js';

interface Entry {
  of: number;
}

/** A cache over a directory whose version the test sets. */
function cacheAt(version: number) {
  const directory = { version };
  return { directory, cache: new LookUpCache<Entry>(async () => directory.version) };
}

describe('LookUpCache', () => {
  it('asks once for what was found', async () => {
    const { cache } = cacheAt(1);
    const lookUp = jest.fn(async () => ({ of: 1 }));
    expect(await cache.get('a', lookUp)).toEqual({ of: 1 });
    expect(await cache.get('a', lookUp)).toEqual({ of: 1 });
    expect(lookUp).toHaveBeenCalledTimes(1);
  });

  it('asks again for what was not found', async () => {
    const { cache } = cacheAt(1);
    expect(await cache.get('a', async () => undefined)).toBeUndefined();
    expect(await cache.get('a', async () => ({ of: 1 }))).toEqual({ of: 1 });
  });

  it('asks once for those who come while it asks, found or not, and again after a failure', async () => {
    const { cache } = cacheAt(1);
    const lookUp = jest.fn(async (): Promise<Entry | undefined> => ({ of: 1 }));
    const get = () => cache.get('a', lookUp);
    lookUp.mockRejectedValueOnce(new Error('locked')).mockResolvedValueOnce(undefined);
    await expect(Promise.allSettled([get(), get()])).resolves.toMatchObject([
      { status: 'rejected' },
      { status: 'rejected' },
    ]);
    expect(await Promise.all([get(), get()])).toEqual([undefined, undefined]);
    expect(await Promise.all([get(), get()])).toEqual([{ of: 1 }, { of: 1 }]);
    expect(lookUp).toHaveBeenCalledTimes(3);
  });

  it('[H3] answers nothing that was found before a change', async () => {
    const { directory, cache } = cacheAt(1);
    await cache.get('a', async () => ({ of: 1 }));
    directory.version = 2;
    expect(await cache.get('a', async () => ({ of: 2 }))).toEqual({ of: 2 });
    directory.version = 3;
    expect(await cache.get('a', async () => undefined)).toBeUndefined();
  });

  it('[H3] nobody who asks after a change gets what was looked up before it', async () => {
    const { directory, cache } = cacheAt(1);
    const slow = cache.get('a', () => new Promise(() => undefined));
    directory.version = 2;
    expect(await cache.get('a', async () => ({ of: 2 }))).toEqual({ of: 2 });
    void slow;
  });

  it('[H3] does not keep what was read before a change and arrives after it', async () => {
    const { directory, cache } = cacheAt(1);
    let begun = (): void => undefined;
    const asked = new Promise<void>((resolve) => (begun = resolve));
    let answer = (_value: Entry): void => undefined;
    const slow = cache.get('a', () => {
      begun();
      return new Promise((resolve) => (answer = resolve));
    });
    await asked;
    directory.version = 2;
    await cache.get('b', async () => undefined);
    answer({ of: 1 });
    expect(await slow).toEqual({ of: 1 });
    expect(await cache.get('a', async () => ({ of: 2 }))).toEqual({ of: 2 });
  });

  it('fails when nobody can tell whether the directory has changed', async () => {
    const cache = new LookUpCache<Entry>(async () => {
      throw new Error('locked');
    });
    await expect(cache.get('a', async () => ({ of: 1 }))).rejects.toThrow('locked');
  });
});
