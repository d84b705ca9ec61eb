/**
 * Makes a stream of another one, item by item. Unlike a generator, ending the result ends the source in every case: also
 * before the first item was read, and while one is awaited.
 * @param rescue makes the last item of what was thrown by the source or by `map`; without it the error goes on
 */
export function mapAsync<In, Out>(
  source: AsyncIterable<In>,
  map: (item: In) => Out | Promise<Out>,
  rescue?: (thrown: unknown) => Out,
): AsyncIterable<Out> {
  return {
    [Symbol.asyncIterator]() {
      const items = source[Symbol.asyncIterator]();
      let over = false;
      const end = async (): Promise<void> => {
        over = true;
        await items.return?.();
      };
      return {
        async next(): Promise<IteratorResult<Out, undefined>> {
          if (over) return { done: true, value: undefined };
          try {
            const step = await items.next();
            if (!step.done) return { done: false, value: await map(step.value) };
            over = true;
            return { done: true, value: undefined };
          } catch (thrown) {
            await end();
            if (!rescue) throw thrown;
            return { done: false, value: rescue(thrown) };
          }
        },
        async return(): Promise<IteratorResult<Out, undefined>> {
          await end();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

/**
 * The same stream, with a notice of its end.
 * @param onEnd called once: when the stream is over, when it throws, or as soon as its reader stops
 */
export function noticeEnd<T>(source: AsyncIterable<T>, onEnd: () => void): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const items = source[Symbol.asyncIterator]();
      let over = false;
      const end = (): void => {
        if (!over) onEnd();
        over = true;
      };
      return {
        async next(): Promise<IteratorResult<T, undefined>> {
          try {
            const step = await items.next();
            if (!step.done) return step;
          } catch (thrown) {
            end();
            throw thrown;
          }
          end();
          return { done: true, value: undefined };
        },
        async return(): Promise<IteratorResult<T, undefined>> {
          end();
          await items.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
