import { statSync } from 'node:fs';
import { figures, type Figures } from '../figures.js';
import { runLoad } from '../load.js';
import { READER, listOrder, plannedTasks } from '../seed-plan.js';
import { seedStore } from '../seed-store.js';
import { percentile } from '../statistics.js';
import { HelloSystem } from '../systems/hello-system.js';
import { getTaskCall } from './call-rows.js';
import type { BenchRun, Scenario } from './scenario.js';

const ALIVE = 10_000;
const CLIENTS = 20;
const POLL_MS = 20;
const YEAR_MS = 365 * 86_400_000;
const LONGEST_MS = 600_000;

/** 100,000 tasks (10,000 in a quick run) expire at one moment, while 20 clients poll tasks that stay. */
export const prune: Scenario = {
  name: 'prune',
  run: async (run: BenchRun): Promise<Figures> => {
    const expiring = run.quick ? 10_000 : 100_000;
    const settings = { A2A_PRUNE_SECONDS: '1' };
    const hello = new HelloSystem({ dir: run.folder('prune'), accounts: [READER], settings });
    const now = Date.now();
    const alive = { file: hello.storeFile, accountId: READER, agentId: 'agent-0', untilMs: now };
    await seedStore({ ...alive, total: ALIVE, expiresAtMs: now + YEAR_MS });
    const others = { ...alive, accountId: 'account-gone', total: expiring, from: ALIVE };
    // Seeding and starting take a part of this time; the rest shows the latency without pruning.
    const expiresAtMs = Date.now() + (run.quick ? 15_000 : 60_000);
    await seedStore({ ...others, expiresAtMs });
    const sizeBefore = statSync(hello.storeFile).size;
    await hello.start();
    const found = await pollThroughPruning(hello, { expiresAtMs, expiring, untilMs: now });
    await hello.stop();
    await seedStore({ ...others, from: ALIVE + expiring, expiresAtMs: now + YEAR_MS });
    found.ratios['prune_file_growth'] = statSync(hello.storeFile).size / sizeBefore;
    return found;
  },
};

async function pollThroughPruning(
  hello: HelloSystem,
  { expiresAtMs, expiring, untilMs }: { expiresAtMs: number; expiring: number; untilMs: number },
): Promise<Figures> {
  let count = 0;
  const order = listOrder(plannedTasks(ALIVE, untilMs));
  const site = { system: hello, listOrder: order, count: () => count++ };
  const poll = (goesOn: () => boolean) =>
    runLoad({
      port: hello.port,
      connections: CLIENTS,
      pauseMs: POLL_MS,
      next: () => getTaskCall(site),
      goesOn,
    });
  if (Date.now() > expiresAtMs - 3_000) throw new Error('seeding took so long that the tasks have expired');
  // The first second warms up.
  const warmUpUntil = Date.now() + 1_000;
  await poll(() => Date.now() < warmUpUntil);
  const before = await poll(() => Date.now() < expiresAtMs);
  let done = false;
  const pruned = hello
    .logged(
      new RegExp(
        `"tasks":${expiring}\\b.*expired tasks were deleted|expired tasks were deleted.*"tasks":${expiring}\\b`,
      ),
      LONGEST_MS,
    )
    .finally(() => (done = true));
  const during = await poll(() => !done);
  await pruned;
  const [p99Before, p99During] = [percentile(before.latenciesMs, 99), percentile(during.latenciesMs, 99)];
  return figures({
    latencyMs: {
      'prune.p99Before': p99Before,
      'prune.p99During': p99During,
      'prune.p99Added': p99During - p99Before,
      'prune.worstBefore': percentile(before.latenciesMs, 100),
      'prune.worstDuring': percentile(during.latenciesMs, 100),
    },
    seconds: { [`prune.${expiring}`]: during.seconds },
  });
}
