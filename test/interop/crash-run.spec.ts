import { expect, it, jest } from '@jest/globals';
import { join } from 'node:path';
import { crashRun } from '../crash/crash-run.js';

// Both programs are started many times, at their own pace.
jest.setTimeout(600_000);

const PROGRAM = join(__dirname, '..', '..', 'bin', 'hello.mjs');

/** A short crash run; a long one is `npm run crash -- --jobs 5000 --seed 1`. */
async function run(seed: number) {
  const lines: string[] = [];
  const result = await crashRun({
    jobs: 200,
    seed,
    programFile: PROGRAM,
    print: (line) => lines.push(line),
  });
  const counts = Object.fromEntries(result.counts);
  return { problems: result.problems.length > 0 ? [...result.problems, ...lines] : [], counts };
}

it.each([1, 2])(
  '[K4] [R4] [R5] [R6] [B65] [B85] 200 messages, both sides killed, lines cut: nothing lost, run twice or changed (seed %i)',
  async (seed) => {
    const { problems, counts } = await run(seed);
    expect(problems).toEqual([]);
    // Otherwise it would have proved nothing.
    expect(counts['messages']).toBe(200);
    for (const trouble of ['API killed', 'daemon killed', 'answers dropped', 'stalls', 'retries'] as const) {
      expect([trouble, counts[trouble]]).toEqual([trouble, expect.any(Number)]);
      expect(counts[trouble]).toBeGreaterThan(0);
    }
  },
);
