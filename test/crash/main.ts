import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { crashRun } from './crash-run.js';

/** `npm run crash -- --jobs N --seed S`: exits with 1 and names what failed. */
export async function main(programFile: URL): Promise<number> {
  const { values } = parseArgs({
    options: { jobs: { type: 'string', default: '1000' }, seed: { type: 'string' } },
  });
  const jobs = Number(values.jobs);
  const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
  if (!Number.isInteger(jobs) || jobs < 1 || !Number.isInteger(seed)) {
    console.error('usage: npm run crash -- [--jobs N] [--seed S]');
    return 2;
  }
  const { problems, dir } = await crashRun({
    jobs,
    seed,
    programFile: fileURLToPath(programFile),
    print: (line) => console.log(line),
  });
  for (const problem of problems) console.error(`- ${problem}`);
  if (problems.length > 0) console.error(`The files of the run are kept in ${dir}`);
  return problems.length > 0 ? 1 : 0;
}
