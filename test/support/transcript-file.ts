import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const FOLDER = join(__dirname, '..', 'transcripts');

const header = z.strictObject({
  title: z.string(),
  /** Whose conduct it proves; the runner plays the other one. */
  tests: z.array(z.enum(['gateway', 'daemon'])).min(1),
  /** What the assistant on the daemon's side does; `echo` is all that a small daemon has. */
  runtime: z.enum(['echo', 'waits', 'asks', 'streams']).default('echo'),
  /** Things that a daemon may do in another way, or not have; each daemon's spec says which it has. */
  needs: z.array(z.enum(['queue limit', 'draining', 'repeats on one link'])).default([]),
});

const common = { only: z.enum(['gateway', 'daemon']).optional() };
const frame = z.union([z.string(), z.record(z.string(), z.unknown())]);
/** A state that is over before it could be told may be left out. */
const sent = { ...common, link: z.string().optional(), optional: z.literal(true).optional() };

const step = z.union([
  z.strictObject({ include: z.string() }),
  z.strictObject({ ...common, connect: z.string() }),
  z.strictObject({ ...sent, daemon: frame }),
  z.strictObject({ ...sent, api: frame }),
  z.strictObject({
    ...common,
    close: z.enum(['api', 'daemon']),
    code: z.number(),
    reason: z.string(),
    link: z.string().optional(),
  }),
  z.strictObject({ ...common, lost: z.string() }),
  z.strictObject({
    ...common,
    caller: z.enum(['sends', 'cancels', 'looks']),
    call: z.string(),
    text: z.string().optional(),
    job: z.string().optional(),
  }),
  z.strictObject({ ...common, answered: z.string(), with: z.record(z.string(), z.unknown()) }),
  z.strictObject({ ...common, api_forgets: z.array(z.string()) }),
  z.strictObject({ ...common, owner: z.enum(['drains', 'restarts']) }),
  z.strictObject({ ...common, daemon_ends: z.string() }),
]);

export type Step = z.infer<typeof step>;
export type Transcript = z.infer<typeof header> & { name: string; steps: Step[] };

/** Every transcript that proves this side, in the order of their names. */
export function transcriptsFor(side: 'gateway' | 'daemon'): Transcript[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => readTranscript(name.replace('.jsonl', '')))
    .filter((transcript) => transcript.tests.includes(side));
}

function readTranscript(name: string): Transcript {
  const [first, ...rest] = linesOf(name);
  const steps = rest.flatMap((line) => {
    const parsed = step.parse(line);
    return 'include' in parsed ? readTranscript(parsed.include).steps : parsed;
  });
  return { ...header.parse(first), name, steps };
}

function linesOf(name: string): unknown[] {
  const lines = readFileSync(join(FOLDER, `${name}.jsonl`), 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as unknown);
}
