import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MIGRATIONS } from '../../src/database/index.js';
import { figures, type Figures } from '../figures.js';
import { atLeast, runLoad, type Call } from '../load.js';
import { measure, medianWindow, type Window } from '../measure.js';
import { rpcCall, type WireTask } from '../rpc-calls.js';
import { READER, listOrder, plannedTasks } from '../seed-plan.js';
import { seedStore } from '../seed-store.js';
import { HelloSystem } from '../systems/hello-system.js';
import { getTaskCall } from './call-rows.js';
import type { BenchRun, Scenario } from './scenario.js';

const PAGE = 50;
const FAR_PAGE = 1_000;
const TEN_YEARS_MS = 3650 * 86_400_000;

interface Page {
  tasks: WireTask[];
  nextPageToken: string;
  totalSize: number;
}

/** Lists and reads of one account that has a million tasks; 100,000 in a quick run. */
export const largeList: Scenario = {
  name: 'large-list',
  run: async (run: BenchRun): Promise<Figures> => {
    const total = run.quick ? 100_000 : 1_000_000;
    const { storeFile, untilMs } = await cachedStore(run, total);
    const order = listOrder(plannedTasks(total, untilMs));
    const hello = new HelloSystem({ dir: run.folder('large-list'), storeFile, accounts: [READER] });
    await hello.start();
    try {
      const token = await walk(hello, order);
      const page = (at: number, pageToken: string) => () =>
        listCall(hello, pageToken, ({ tasks, totalSize }) => {
          return tasks[0]?.id === order[(at - 1) * PAGE] && tasks.length === PAGE && totalSize === total;
        });
      let count = 0;
      const site = { system: hello, listOrder: order, count: () => count++ };
      const windows = await interleaved(hello, run.quick, {
        page1: page(1, ''),
        page1000: page(FAR_PAGE, token),
        get: () => getTaskCall(site),
      });
      return figuresOf(windows);
    } finally {
      await hello.stop();
    }
  },
};

/** Seeding takes minutes, so the file is kept; a later schema gets one of its own. */
async function cachedStore(run: BenchRun, total: number): Promise<{ storeFile: string; untilMs: number }> {
  const storeFile = join(run.cacheDir, `tasks-${total}-${MIGRATIONS.at(-1)?.name}.sqlite`);
  const noteFile = `${storeFile}.json`;
  if (!existsSync(noteFile)) {
    run.print(`seeding ${total} tasks into ${storeFile}; kept for later runs`);
    mkdirSync(run.cacheDir, { recursive: true });
    const unfinished = `${storeFile}.new`;
    for (const ending of ['', '-wal', '-shm']) rmSync(unfinished + ending, { force: true });
    const untilMs = Date.now();
    const owner = { accountId: READER, agentId: 'agent-0' };
    await seedStore({ file: unfinished, ...owner, total, untilMs, expiresAtMs: untilMs + TEN_YEARS_MS });
    renameSync(unfinished, storeFile);
    writeFileSync(noteFile, JSON.stringify({ untilMs }));
  }
  return { storeFile, ...(JSON.parse(readFileSync(noteFile, 'utf8')) as { untilMs: number }) };
}

/** Walks from page to page as a client does, checking every task. @returns the token of page 1,000 */
async function walk(hello: HelloSystem, order: readonly string[]): Promise<string> {
  let token = '';
  let page = 1;
  const next = (): Call | undefined => {
    if (page === FAR_PAGE) return undefined;
    const from = (page - 1) * PAGE;
    return listCall(hello, token, ({ tasks, nextPageToken }) => {
      page += 1;
      token = nextPageToken;
      return tasks.length === PAGE && tasks.every(({ id }, at) => id === order[from + at]);
    });
  };
  await runLoad({ port: hello.port, connections: 1, next });
  return token;
}

async function interleaved(
  hello: HelloSystem,
  quick: boolean,
  rows: Record<string, () => Call>,
): Promise<Map<string, Window>> {
  const windows = new Map<string, Window[]>();
  const size = quick ? { requests: 300, ms: 500 } : { requests: 1_500, ms: 1_500 };
  for (let round = 0; round <= (quick ? 3 : 5); round += 1) {
    for (const connections of [64, 1]) {
      for (const [name, next] of Object.entries(rows)) {
        const window = await measure(hello.pid, {
          port: hello.port,
          connections,
          next,
          goesOn: atLeast(size),
        });
        const key = `${name}@${connections}`;
        // The first round warms up.
        if (round > 0) windows.set(key, [...(windows.get(key) ?? []), window]);
      }
    }
  }
  return new Map([...windows].map(([key, all]) => [key, medianWindow(all)]));
}

function figuresOf(windows: Map<string, Window>): Figures {
  const found = figures();
  for (const [key, { cpuUs, perSecond, p50Ms, p99Ms }] of windows) {
    found.cpuUs[`large.${key}`] = cpuUs;
    found.perSecond[`large.${key}`] = perSecond;
    found.latencyMs[`large.${key}.p50`] = p50Ms;
    found.latencyMs[`large.${key}.p99`] = p99Ms;
  }
  const [first, far] = [found.cpuUs['large.page1@64'], found.cpuUs['large.page1000@64']];
  if (first !== undefined && far !== undefined) found.ratios['list_page1000_vs_page1'] = far / first;
  return found;
}

function listCall(hello: HelloSystem, pageToken: string, isRight: (page: Page) => boolean): Call {
  const params = { pageSize: PAGE, historyLength: 0, pageToken };
  return rpcCall<Page>(hello, { accountId: READER, method: 'ListTasks', params, isRight });
}
