/**
 * Makes a stream of another one, item by item. Unlike a generator, ending the result ends the source in every case: also
 * before the first item was read, and while one is awaited.
 * @param rescue makes the last item of what was thrown by the source or by `map`; without it the error goes on
 * @param onEnd called once: when the stream is over, when it has failed and was rescued or not, or as soon as its reader stops
 */
export function mapAsync<In, Out>(
  source: AsyncIterable<In>,
  map: (item: In) => Out | Promise<Out>,
  rescue?: (thrown: unknown) => Out,
  onEnd?: () => void,
): AsyncIterable<Out> {
  return {
    [Symbol.asyncIterator]() {
      const items = source[Symbol.asyncIterator]();
      let over = false;
      let told = false;
      const tell = (): void => {
        if (!told) onEnd?.();
        told = true;
      };
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
          } finally {
            if (over) tell();
          }
        },
        async return(): Promise<IteratorResult<Out, undefined>> {
          tell();
          await end();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
