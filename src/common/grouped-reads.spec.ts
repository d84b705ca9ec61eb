import { GroupedReads } from './grouped-reads.js';

describe('GroupedReads', () => {
  it('reads together what is asked for in one turn, and what is asked for while it reads', async () => {
    const groups: number[][] = [];
    const later: Promise<string>[] = [];
    const reads = new GroupedReads(async (questions: number[]) => {
      groups.push(questions);
      if (groups.length === 1) later.push(reads.ask(4), reads.ask(5));
      return questions.map((question) => `answer ${question}`);
    });
    const first = await Promise.all([1, 2, 3].map((question) => reads.ask(question)));
    expect([...first, ...(await Promise.all(later))]).toEqual([1, 2, 3, 4, 5].map((n) => `answer ${n}`));
    expect(await reads.ask(6)).toBe('answer 6');
    expect(groups).toEqual([[1, 2, 3], [4, 5], [6]]);
  });

  it('reads no more than 64 at once', async () => {
    const sizes: number[] = [];
    const reads = new GroupedReads(async (questions: number[]) => {
      sizes.push(questions.length);
      return questions;
    });
    await Promise.all(Array.from({ length: 100 }, (_, n) => reads.ask(n)));
    expect(sizes).toEqual([64, 36]);
  });

  it('fails those alone whose statement failed', async () => {
    const reads = new GroupedReads(async (questions: string[]) => {
      if (questions.includes('bad')) throw new Error('no such table');
      return questions;
    });
    const results = await Promise.allSettled([reads.ask('bad'), reads.ask('good')]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await reads.ask('good')).toBe('good');
  });
});
