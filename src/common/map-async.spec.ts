import { mapAsync } from './map-async.js';

/** A source whose end can be seen. */
function source<T>(items: T[], failure?: Error) {
  const seen = { ended: 0 };
  const rest = [...items];
  const iterable: AsyncIterable<T> = {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const value = rest.shift();
        if (value !== undefined) return { done: false, value };
        if (failure) throw failure;
        return { done: true, value: undefined };
      },
      return: async () => {
        seen.ended += 1;
        return { done: true, value: undefined };
      },
    }),
  };
  return { iterable, seen };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const result: T[] = [];
  for await (const item of items) result.push(item);
  return result;
}

describe('mapAsync', () => {
  it('maps every item, in order', async () => {
    expect(await all(mapAsync(source([1, 2, 3]).iterable, async (item) => item * 2))).toEqual([2, 4, 6]);
  });

  it('[B110] ends a source that nobody has read yet', async () => {
    const { iterable, seen } = source([1]);
    const mapped = mapAsync(iterable, (item) => item)[Symbol.asyncIterator]();
    await mapped.return?.();
    expect(seen.ended).toBe(1);
  });

  it('ends the source when the reader stops, and gives nothing after that', async () => {
    const { iterable, seen } = source([1, 2]);
    const items = mapAsync(iterable, (item) => item)[Symbol.asyncIterator]();
    await items.next();
    await items.return?.();
    expect(seen.ended).toBe(1);
    expect(await items.next()).toEqual({ done: true, value: undefined });
  });

  it('makes a last item of a failure, of the source or of the map', async () => {
    const failing = source([1], new Error('the end'));
    const rescue = (thrown: unknown) => (thrown as Error).message;
    expect(await all(mapAsync(failing.iterable, String, rescue))).toEqual(['1', 'the end']);
    const { iterable, seen } = source([1, 2]);
    const broken = mapAsync(
      iterable,
      () => {
        throw new Error('no');
      },
      rescue,
    );
    expect(await all(broken)).toEqual(['no']);
    expect(seen.ended).toBe(1);
  });

  it('passes a failure on when nobody rescues it', async () => {
    await expect(all(mapAsync(source([], new Error('the end')).iterable, String))).rejects.toThrow('the end');
  });
});

describe('the end of mapAsync', () => {
  it.each<[string, number, (items: AsyncIterator<string>) => unknown]>([
    ['over', 0, (items) => items.next()],
    ['left by its reader', 1, (items) => items.return?.()],
  ])('is told once of a stream that is %s, and ends its source', async (_, sourceEnds, end) => {
    const { iterable, seen } = source([1]);
    let ends = 0;
    const items = mapAsync(iterable, String, undefined, () => (ends += 1))[Symbol.asyncIterator]();
    await items.next();
    expect(ends).toBe(0);
    await end(items);
    expect([ends, seen.ended]).toEqual([1, sourceEnds]);
    await items.return?.();
    expect(ends).toBe(1);
  });

  it('is told of a stream that throws, which goes on', async () => {
    let ends = 0;
    const { iterable } = source<number>([], new Error('broken'));
    const stream = mapAsync(iterable, String, undefined, () => (ends += 1));
    await expect(all(stream)).rejects.toThrow('broken');
    expect(ends).toBe(1);
  });

  it('is told after the rescue, and not again when the reader leaves', async () => {
    const told: string[] = [];
    const { iterable } = source<number>([], new Error('broken'));
    const rescue = (): string => (told.push('rescued'), 'last');
    const items = mapAsync(iterable, String, rescue, () => told.push('ended'))[Symbol.asyncIterator]();
    expect(await items.next()).toEqual({ done: false, value: 'last' });
    await items.return?.();
    expect(told).toEqual(['rescued', 'ended']);
  });
});
