import { setTimeout as pause } from 'node:timers/promises';
import { figures, type Figures } from '../figures.js';
import { runLoad, type Call } from '../load.js';
import { memoryMb } from '../process-usage.js';
import { READER, TEXT, listOrder, plannedTasks } from '../seed-plan.js';
import { seedStore } from '../seed-store.js';
import { median } from '../statistics.js';
import { Daemons } from '../systems/daemons.js';
import { HelloSystem } from '../systems/hello-system.js';
import { CALL_ROWS, SENDERS, getTaskCall, sendCall, type CallSite } from './call-rows.js';
import type { BenchRun, Scenario } from './scenario.js';

const TASKS = 10_000;
/** A busy service, not one at its limit: what grows then is kept for ever and not only waiting. */
const CLIENTS = 16;
const PAUSE_MS = 50;
const YEAR_MS = 365 * 86_400_000;

/** Ten minutes (half a minute in a quick run) of everything at once, with pauses, looking at the memory meanwhile. */
export const soak: Scenario = {
  name: 'soak',
  run: async (run: BenchRun): Promise<Figures> => {
    const dir = run.folder('soak');
    const hello = new HelloSystem({ dir, accounts: [READER, ...SENDERS] });
    const untilMs = Date.now();
    const owner = { file: hello.storeFile, accountId: READER, agentId: 'agent-0' };
    await seedStore({ ...owner, total: TASKS, untilMs, expiresAtMs: untilMs + YEAR_MS });
    await hello.start();
    const daemons = new Daemons(hello, dir);
    try {
      await daemons.order({ do: 'connect' });
      let count = 0;
      const order = listOrder(plannedTasks(TASKS, untilMs));
      const site = { system: hello, listOrder: order, count: () => count++ };
      const [warmUpMs, totalMs] = run.quick ? [10_000, 30_000] : [60_000, 600_000];
      return await underMixedLoad(site, warmUpMs, totalMs);
    } finally {
      await daemons.stop();
      await hello.stop();
    }
  },
};

async function underMixedLoad(site: CallSite, warmUpMs: number, totalMs: number): Promise<Figures> {
  const { system } = site;
  const samples: { atMs: number; mb: number }[] = [];
  const startedAt = performance.now();
  const goesOn = () => performance.now() - startedAt < totalMs;
  const watch = async (): Promise<void> => {
    while (goesOn()) {
      samples.push({ atMs: performance.now() - startedAt, mb: memoryMb(system.pid) });
      await pause(totalMs / 120);
    }
  };
  const next = () => mixedCall(site);
  const load = runLoad({ port: system.port, connections: CLIENTS, next, goesOn, pauseMs: PAUSE_MS });
  const [{ requests, seconds }] = await Promise.all([load, watch()]);
  // Collections of garbage make single values jump; a twelfth of the time evens that out.
  const during = (fromMs: number) =>
    median(samples.filter(({ atMs }) => atMs >= fromMs && atMs < fromMs + totalMs / 12).map(({ mb }) => mb));
  const [atStart, atEnd] = [during(warmUpMs), during(totalMs - totalMs / 12)];
  return figures({
    memoryMb: { 'soak.afterFirstMinute': atStart, 'soak.atEnd': atEnd },
    ratios: { soak_memory_growth: atEnd / atStart },
    perSecond: { soak: requests / seconds },
  });
}

/** Of twenty calls fourteen read a task, three send, one waits, one lists and one reads the card. */
function mixedCall(site: CallSite): Call {
  const place = site.count() % 20;
  if (place < 14) return getTaskCall(site);
  if (place < 17) return sendCall(site, TEXT, { returnImmediately: true }, ({ task }) => task.id !== '');
  const name = (['sendWaiting', 'list', 'card'] as const)[place - 17];
  const row = CALL_ROWS.find((candidate) => candidate.name === name);
  return row ? row.call(site) : getTaskCall(site);
}
