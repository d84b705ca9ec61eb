import { setMaxListeners } from 'node:events';
import { A2aClient } from './a2a-client.js';
import { Chaos, planTroubles } from './chaos.js';
import { checkFiles } from './check-files.js';
import { report, submissionsInLog } from './crash-report.js';
import { CrashSite } from './crash-site.js';
import { readFiles } from './files.js';
import { Ledger, type Counted } from './ledger.js';
import { planMessages, type MessagePlan } from './message-plan.js';
import { Messenger } from './messenger.js';
import { Observer } from './observer.js';
import { Progress } from './progress.js';
import { Random } from './random.js';

export interface CrashOptions {
  jobs: number;
  seed: number;
  /** `bin/hello.mjs` of a built tree. */
  programFile: string;
  /** Takes the lines of the report. */
  print: (line: string) => void;
}

export interface CrashResult {
  /** What went wrong, each in one line; empty when every promise held. */
  problems: string[];
  counts: ReadonlyMap<Counted, number>;
  /** The files of the run; kept only when there are problems. */
  dir: string;
}

const SENDERS = 48;
/** The daemon's longest pause between two attempts to connect is 30 s. */
const QUIET_MS = 180_000;
const BASE_MS = 240_000;
const MS_PER_JOB = 120;

/**
 * Sends messages while API, daemon and the lines between them are killed, cut and stalled, waits for quiet, and
 * checks that nothing was lost, run twice or changed after its end (requirements K4, R4, R5, R6). The seed decides
 * everything that is not left to the clock.
 * @throws when one of the two cannot be started again
 */
export async function crashRun(options: CrashOptions): Promise<CrashResult> {
  const ledger = new Ledger();
  const site = await CrashSite.create(options.programFile, (name, how) =>
    ledger.problem(`the ${name} ended by itself (${how})`),
  );
  const startedAtMs = performance.now();
  options.print(`crash run: ${options.jobs} jobs, seed ${options.seed}, files in ${site.dir}`);
  let failed = true;
  try {
    await site.startApi();
    site.launchDaemon();
    await runOnSite(site, ledger, options);
    failed = ledger.problems.length > 0;
  } finally {
    await site.close({ keepFiles: failed });
  }
  const seconds = Math.round((performance.now() - startedAtMs) / 1000);
  options.print(`${failed ? 'FAILED' : 'ok'} after ${seconds} s, seed ${options.seed}`);
  return { problems: ledger.problems, counts: ledger.counts, dir: site.dir };
}

async function runOnSite(site: CrashSite, ledger: Ledger, options: CrashOptions): Promise<void> {
  const random = new Random(options.seed);
  const messages = planMessages(options.jobs, random.fork());
  const troubles = planTroubles(options.jobs, random.fork());
  const client = await A2aClient.create(site.clientLine.port);
  const over = AbortSignal.timeout(BASE_MS + options.jobs * MS_PER_JOB);
  // Every sender that pauses listens to it.
  setMaxListeners(0, over);
  const watching = new AbortController();
  const observer = new Observer({ client, ledger, random: random.fork(), messages });
  const messenger = new Messenger({
    client,
    ledger,
    random: random.fork(),
    run: `seed-${options.seed}`,
    over,
  });
  const progress = new Progress();
  const watched = observer.watch(watching.signal);
  try {
    await Promise.all([
      new Chaos(site, ledger, over).run(troubles, (count) => progress.reached(count)),
      sendAll(messages, messenger, progress),
    ]);
    if (!(await observer.quiet(AbortSignal.timeout(QUIET_MS))))
      ledger.problem('it did not become quiet in time');
    watching.abort();
    await watched;
    await observer.readAll();
  } finally {
    watching.abort();
    client.close();
  }
  const ends = await site.stop();
  if (ends.api !== '0' || ends.daemon !== '0')
    ledger.problem(`a stop did not end well: ${JSON.stringify(ends)}`);
  const files = await readFiles(site);
  checkFiles(files, ledger);
  options.print(report(ledger, files, submissionsInLog(site.apiLog)));
}

/** A bounded number of callers, each with one message after another. */
async function sendAll(
  messages: readonly MessagePlan[],
  messenger: Messenger,
  progress: Progress,
): Promise<void> {
  const waiting = [...messages].reverse();
  const sender = async () => {
    for (let plan = waiting.pop(); plan; plan = waiting.pop()) {
      progress.advance();
      await messenger.deliver(plan);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  progress.finish();
}
