import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { measure, medianWindow, type Window } from '../measure.js';
import { atLeast, type Load, type LoadSize } from '../load.js';
import { memoryMb } from '../process-usage.js';
import { READER, listOrder, plannedTasks } from '../seed-plan.js';
import { seedStore } from '../seed-store.js';
import { Daemons } from '../systems/daemons.js';
import { HelloSystem } from '../systems/hello-system.js';
import { startPeer } from '../systems/peer-system.js';
import { SYSTEM_NAMES, type System, type SystemName } from '../systems/system.js';
import { CALL_ROWS, SENDERS, type CallRow, type CallSite } from './call-rows.js';

const TASKS = 10_000;
const YEAR_MS = 365 * 86_400_000;

export interface CompareOptions {
  dir: string;
  rounds: number;
  /** How long a window is, by the number of connections that ask in it. */
  windows: Readonly<Record<number, LoadSize>>;
  /** What every system answers of each row before anything counts. */
  warmUp: LoadSize;
  /** Rows by name; all of them when empty. */
  only: readonly string[];
  print: (line: string) => void;
  /** Options of node for hello's process. */
  nodeOptions?: readonly string[];
  systems?: readonly SystemName[];
}

export interface CompareResult {
  /** By row, connections and system, such as `send@64`. */
  windows: Map<string, Map<SystemName, Window>>;
  memoryMb: Map<SystemName, { atStart: number; atEnd: number }>;
}

/** Every system answers the same calls, window by window in turn, so that what disturbs one disturbs all. */
export async function compare(options: CompareOptions): Promise<CompareResult> {
  const untilMs = Date.now();
  const systems: System[] = [];
  const started: { stop(): Promise<void> }[] = [];
  try {
    for (const name of options.systems ?? SYSTEM_NAMES) {
      const dir = join(options.dir, name);
      mkdirSync(dir, { recursive: true });
      if (name !== 'hello') {
        systems.push(await startPeer(name, { dir, seed: { total: TASKS, untilMs } }));
        continue;
      }
      const hello = await startHello(dir, untilMs, options.nodeOptions);
      const daemons = new Daemons(hello, dir);
      started.push(daemons);
      systems.push(hello);
      await daemons.order({ do: 'connect' });
    }
    return await runRounds(systems, options, listOrder(plannedTasks(TASKS, untilMs)));
  } finally {
    for (const part of [...systems, ...started]) await part.stop();
  }
}

async function startHello(dir: string, untilMs: number, nodeOptions: readonly string[] = []) {
  const hello = new HelloSystem({ dir, accounts: [READER, ...SENDERS], nodeOptions });
  await seedStore({
    file: hello.storeFile,
    accountId: READER,
    agentId: 'agent-0',
    total: TASKS,
    untilMs,
    expiresAtMs: untilMs + YEAR_MS,
  });
  await hello.start();
  return hello;
}

async function runRounds(
  systems: readonly System[],
  options: CompareOptions,
  order: readonly string[],
): Promise<CompareResult> {
  let calls = 0;
  const sites = systems.map((system): CallSite => ({ system, listOrder: order, count: () => calls++ }));
  const atStart = new Map(systems.map(({ name, pid }) => [name, memoryMb(pid)]));
  const rows = CALL_ROWS.filter(({ name }) => options.only.length === 0 || options.only.includes(name));
  const all = new Map<string, Map<SystemName, Window[]>>();
  for (const row of rows) {
    for (const site of sites) await oneWindow(row, site, 16, options.warmUp);
  }
  options.print('warmed up');
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const row of rows) {
      for (const [key, size] of Object.entries(options.windows)) {
        const connections = Number(key);
        for (const site of sites) {
          const window = await oneWindow(row, site, connections, size);
          keep(all, `${row.name}@${connections}`, site.system.name, window);
        }
      }
    }
    options.print(`round ${round} of ${options.rounds}`);
  }
  return {
    windows: new Map(
      [...all].map(([row, bySystem]) => [row, new Map([...bySystem].map(([s, w]) => [s, medianWindow(w)]))]),
    ),
    memoryMb: new Map(
      systems.map(({ name, pid }) => [name, { atStart: atStart.get(name) ?? 0, atEnd: memoryMb(pid) }]),
    ),
  };
}

async function oneWindow(row: CallRow, site: CallSite, connections: number, size: LoadSize): Promise<Window> {
  const { pid, port } = site.system;
  const prepared = await row.prepare?.(site, size.requests);
  const load: Load = prepared
    ? { port, connections, next: () => prepared.pop() }
    : { port, connections, next: () => row.call(site), goesOn: atLeast(size) };
  return await measure(pid, load);
}

function keep(
  all: Map<string, Map<SystemName, Window[]>>,
  row: string,
  name: SystemName,
  window: Window,
): void {
  const bySystem = all.get(row) ?? new Map<SystemName, Window[]>();
  all.set(row, bySystem.set(name, [...(bySystem.get(name) ?? []), window]));
}
