import { LookUpCache } from './look-up-cache.js';

describe('LookUpCache', () => {
  it('asks once for what was found', async () => {
    const cache = new LookUpCache<{ id: string }>();
    const lookUp = jest.fn(async () => ({ id: 'a' }));
    expect(await cache.get('a', lookUp)).toEqual({ id: 'a' });
    expect(await cache.get('a', lookUp)).toEqual({ id: 'a' });
    expect(lookUp).toHaveBeenCalledTimes(1);
  });

  it('asks again for what was not found', async () => {
    const cache = new LookUpCache<{ id: string }>();
    expect(await cache.get('a', async () => undefined)).toBeUndefined();
    expect(await cache.get('a', async () => ({ id: 'a' }))).toEqual({ id: 'a' });
  });

  it('asks once for those who come while it asks, found or not, and again after a failure', async () => {
    const cache = new LookUpCache<{ id: string }>();
    const lookUp = jest.fn(async (): Promise<{ id: string } | undefined> => ({ id: 'a' }));
    const get = () => cache.get('a', lookUp);
    lookUp.mockRejectedValueOnce(new Error('locked')).mockResolvedValueOnce(undefined);
    await expect(Promise.allSettled([get(), get()])).resolves.toMatchObject([
      { status: 'rejected' },
      { status: 'rejected' },
    ]);
    expect(await Promise.all([get(), get()])).toEqual([undefined, undefined]);
    expect(await Promise.all([get(), get()])).toEqual([{ id: 'a' }, { id: 'a' }]);
    expect(lookUp).toHaveBeenCalledTimes(3);
  });

  it('[H3] nobody who asks after a change gets what was looked up before it', async () => {
    const cache = new LookUpCache<{ version: number }>();
    const slow = cache.get('a', () => new Promise(() => undefined));
    cache.clear();
    expect(await cache.get('a', async () => ({ version: 2 }))).toEqual({ version: 2 });
    void slow;
  });

  it('[H3] does not keep what was read before a change and arrives after it', async () => {
    const cache = new LookUpCache<{ version: number }>();
    let answer = (_value: { version: number }): void => undefined;
    const slow = cache.get('a', () => new Promise((resolve) => (answer = resolve)));
    cache.clear();
    answer({ version: 1 });
    expect(await slow).toEqual({ version: 1 });
    expect(await cache.get('a', async () => ({ version: 2 }))).toEqual({ version: 2 });
  });
});
