import { figures, type Figures } from '../figures.js';
import { cpuSeconds, memoryMb, untilQuiet } from '../process-usage.js';
import { READER, seedTaskId } from '../seed-plan.js';
import { seedStore } from '../seed-store.js';
import { Daemons } from '../systems/daemons.js';
import type { Done, Order } from '../echo-daemon.js';
import { HelloSystem } from '../systems/hello-system.js';
import type { BenchRun, Scenario } from './scenario.js';

const YEAR_MS = 365 * 86_400_000;
/** Jobs that report at the same time; with one daemon all of them on its one link. */
const JOBS = 1_000;
/** A daemon may chatter 5,000 frames at once (docs/limits.md); this many round trips stay below. */
const CHATTER = 4_000;

/** Round trips and reports of 1 and of 1,000 daemons, and 1,000 that reconnect at once. */
export const relay: Scenario = {
  name: 'relay',
  run: async (run: BenchRun): Promise<Figures> => {
    const found = figures();
    for (const daemons of [1, 1_000]) {
      await withDaemons(run, { daemons, openJobs: daemons === 1 ? 64 : JOBS }, async (hello, parts) => {
        const forMs = run.quick ? 1_000 : 5_000;
        const jobIds = Array.from({ length: daemons === 1 ? 64 : JOBS }, (_, n) => seedTaskId(n));
        await spent(hello, parts, { do: 'report', forMs, jobIds });
        const reports = await spent(hello, parts, { do: 'report', forMs, jobIds });
        found.perSecond[`relay.${daemons}.reportsPerCpuSecond`] = reports.count / reports.cpu;
        const times = daemons === 1 ? CHATTER : 20;
        const trips = await spent(hello, parts, {
          do: 'roundTrips',
          times,
          inFlight: daemons === 1 ? 64 : 1,
        });
        found.perSecond[`relay.${daemons}.roundTripsPerCpuSecond`] = trips.count / trips.cpu;
        found.perSecond[`relay.${daemons}.roundTrips`] = trips.count / trips.seconds;
        if (daemons === 1) return;
        const { seconds, cpu } = await spent(hello, parts, { do: 'reconnect' });
        found.seconds['relay.reconnect1000'] = seconds;
        found.seconds['relay.reconnect1000.cpu'] = cpu;
      });
    }
    return found;
  },
};

/** What docs/operating.md advises where many daemons are idle and memory is dear. */
const SPARING = { MALLOC_ARENA_MAX: '2', NODE_OPTIONS: '--max-semi-space-size=8' };

/** Daemons that are connected and have nothing to do, as it is and with the settings that spare memory. */
export const idle: Scenario = {
  name: 'idle',
  run: async (run: BenchRun): Promise<Figures> => {
    const found = figures();
    const count = run.quick ? 1_000 : 10_000;
    const look = async (settings: Record<string, string>, name: string) => {
      await withDaemons(
        run,
        { daemons: count, openJobs: 0, settings },
        async (hello, _parts, memoryBefore) => {
          await untilQuiet(hello.pid);
          found.memoryMb[`idle.0${name}`] = memoryBefore;
          found.memoryMb[`idle.${count}${name}`] = memoryMb(hello.pid);
        },
      );
    };
    await look({}, '');
    await look(SPARING, '.sparing');
    return found;
  },
};

interface DaemonsAsked {
  daemons: number;
  openJobs: number;
  /** Of hello-api's process. */
  settings?: Record<string, string>;
}

async function withDaemons(
  run: BenchRun,
  { daemons, openJobs, settings = {} }: DaemonsAsked,
  use: (hello: HelloSystem, parts: Daemons, memoryBefore: number) => Promise<void>,
): Promise<void> {
  const dir = run.folder(['daemons', daemons, ...Object.keys(settings)].join('-'));
  const hello = new HelloSystem({ dir, accounts: [READER], computers: daemons, settings });
  if (openJobs > 0) {
    const times = { untilMs: Date.now(), expiresAtMs: Date.now() + YEAR_MS };
    const owner = { accountId: READER, agentId: 'agent-0', computers: daemons };
    await seedStore({ file: hello.storeFile, ...owner, ...times, total: openJobs, open: true });
  }
  await hello.start();
  await untilQuiet(hello.pid);
  const memoryBefore = memoryMb(hello.pid);
  const parts = new Daemons(hello, dir);
  try {
    const { count, seconds } = await parts.order({ do: 'connect' });
    run.print(`${count} daemons connected in ${seconds.toFixed(1)} s`);
    await use(hello, parts, memoryBefore);
  } finally {
    await parts.stop();
    await hello.stop();
  }
}

async function spent(hello: HelloSystem, parts: Daemons, order: Order): Promise<Done & { cpu: number }> {
  await untilQuiet(hello.pid);
  const before = cpuSeconds(hello.pid);
  const done = await parts.order(order);
  await untilQuiet(hello.pid);
  return { ...done, cpu: cpuSeconds(hello.pid) - before };
}
