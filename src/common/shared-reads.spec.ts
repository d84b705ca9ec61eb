import { SharedReads } from './shared-reads.js';

/** A read that ends when it is told to. */
function heldReads() {
  const ends: ((answer: string) => void)[] = [];
  const began: (() => void)[] = [];
  const read = () =>
    new Promise<string>((resolve) => {
      ends.push(resolve);
      began.shift()?.();
    });
  return { ends, read, nextBegins: () => new Promise<void>((resolve) => began.push(resolve)) };
}

describe('SharedReads', () => {
  it('reads once for those who ask the same in one turn, and once for each other question', async () => {
    const reads = new SharedReads<string>();
    const read: string[] = [];
    const ask = (key: string) =>
      reads.ask(key, async () => {
        read.push(key);
        return `answer ${key}`;
      });
    const answers = await Promise.all(['a', 'b', 'a', 'a'].map((key) => ask(key)));
    expect(answers).toEqual(['a', 'b', 'a', 'a'].map((key) => `answer ${key}`));
    expect(read).toEqual(['a', 'b']);
    await ask('a');
    expect(read).toEqual(['a', 'b', 'a']);
  });

  it('answers nobody from a read that had begun when it was asked, and reads once for all who waited', async () => {
    const reads = new SharedReads<string>();
    const { ends, read, nextBegins } = heldReads();
    const firstBegins = nextBegins();
    const early = reads.ask('a', read);
    await firstBegins;
    const secondBegins = nextBegins();
    const late = [reads.ask('a', read), reads.ask('a', read)];
    ends[0]?.('before');
    expect(await early).toBe('before');
    await secondBegins;
    ends[1]?.('after');
    expect(await Promise.all(late)).toEqual(['after', 'after']);
    expect(ends).toHaveLength(2);
  });

  it('fails those alone whose read failed, and reads anew for who asked meanwhile', async () => {
    const reads = new SharedReads<string>();
    let fail: (error: Error) => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      void reads
        .ask('a', () => {
          resolve();
          return new Promise((_, reject) => (fail = reject));
        })
        .catch(() => undefined);
    });
    await begun;
    const waiting = reads.ask('a', () => Promise.resolve('well'));
    const failing = reads.ask('b', () => Promise.reject(new Error('no such table')));
    fail(new Error('disk I/O error'));
    expect(await Promise.allSettled([waiting, failing])).toEqual([
      { status: 'fulfilled', value: 'well' },
      { status: 'rejected', reason: new Error('no such table') },
    ]);
  });
});
