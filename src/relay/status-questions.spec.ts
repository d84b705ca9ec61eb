import { StatusQuestions } from './status-questions.js';

const ids = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `task-${from + n}`);
const unknown = (jobId: string) => ({ jobId, state: 'unknown' as const });

describe('StatusQuestions', () => {
  it('[G1] a frame that fails leaves the others their answers', async () => {
    const questions = new StatusQuestions(async (jobIds) => {
      if (jobIds.includes('task-50')) throw new Error('no answer');
      return jobIds.map(unknown);
    });
    const [first, second, both] = await Promise.all([
      questions.ask(ids(0, 50)),
      questions.ask(ids(50, 10)),
      questions.ask(['task-49', 'task-50']),
    ]);
    expect(first).toHaveLength(50);
    expect(second).toBeUndefined();
    expect(both).toEqual([unknown('task-49')]);
  });

  it('[G1] asks anew in a later tick', async () => {
    const asked: string[][] = [];
    const questions = new StatusQuestions(async (jobIds) => {
      asked.push(jobIds);
      return jobIds.map(unknown);
    });
    await questions.ask(['task-1', 'task-1']);
    await questions.ask(['task-1']);
    expect(asked).toEqual([['task-1'], ['task-1']]);
  });
});
