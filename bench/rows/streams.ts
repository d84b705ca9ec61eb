import { figures, type Figures } from '../figures.js';
import { runLoad, type Call } from '../load.js';
import { EventStream } from '../event-stream.js';
import { cpuSeconds, memoryMb, untilQuiet } from '../process-usage.js';
import { rpcCall } from '../rpc-calls.js';
import { TEXT } from '../seed-plan.js';
import { percentile } from '../statistics.js';
import { Daemons } from '../systems/daemons.js';
import { HelloSystem } from '../systems/hello-system.js';
import { SENDERS } from './call-rows.js';
import type { BenchRun, Scenario } from './scenario.js';

const [ACCOUNT = ''] = SENDERS;
const PATH = '/a2a/agent-0';
/** Streams that are opened at once. */
const BURST = 50;
/** Pieces of output that the daemon sends to whoever listens. */
const PIECES = 20;

/** 1,000 streams (100 in a quick run) of one running task at the 0.3 endpoint, and what it costs to tell them all. */
export const streams: Scenario = {
  name: 'streams',
  run: async (run: BenchRun): Promise<Figures> => {
    const count = run.quick ? 100 : 1_000;
    const dir = run.folder('streams');
    const hello = new HelloSystem({ dir, accounts: [ACCOUNT] });
    await hello.start();
    const daemons = new Daemons(hello, dir);
    try {
      await daemons.order({ do: 'connect' });
      // Two tasks: the first one warms up.
      await followOneTask(hello, daemons, count);
      return await followOneTask(hello, daemons, count);
    } finally {
      await daemons.stop();
      await hello.stop();
    }
  },
};

async function followOneTask(hello: HelloSystem, daemons: Daemons, count: number): Promise<Figures> {
  const jobId = await startHeldTask(hello);
  await untilQuiet(hello.pid);
  const memoryBefore = memoryMb(hello.pid);
  const cpuBefore = cpuSeconds(hello.pid);
  const { open, firstEventsMs } = await openStreams(hello, jobId, count);
  await untilQuiet(hello.pid);
  const memoryOpen = memoryMb(hello.pid);
  const cpuOpen = cpuSeconds(hello.pid);
  const eventsBefore = total(open);
  const startedAt = performance.now();
  await daemons.order({ do: 'speak', jobId, pieces: PIECES });
  await Promise.all(open.map(({ ended }) => ended));
  const seconds = (performance.now() - startedAt) / 1000;
  await untilQuiet(hello.pid);
  const events = total(open) - eventsBefore;
  return figures({
    latencyMs: {
      'streams.firstEvent.p50': percentile(firstEventsMs, 50),
      'streams.firstEvent.p99': percentile(firstEventsMs, 99),
    },
    cpuUs: {
      'streams.open': ((cpuOpen - cpuBefore) * 1_000_000) / count,
      'streams.event': ((cpuSeconds(hello.pid) - cpuOpen) * 1_000_000) / events,
    },
    perSecond: { 'streams.events': events / seconds },
    memoryMb: { [`streams.${count}`]: memoryOpen - memoryBefore },
  });
}

/** A task whose job never ends by itself. @returns its id */
async function startHeldTask(hello: HelloSystem): Promise<string> {
  let id = '';
  let calls = 0;
  const message = {
    kind: 'message',
    messageId: `held-${performance.now()}`,
    role: 'user',
    parts: [{ kind: 'text', text: `hold ${TEXT}` }],
  };
  const next = (): Call | undefined =>
    calls++ > 0
      ? undefined
      : rpcCall<{ id: string; kind: string }>(hello, {
          accountId: ACCOUNT,
          path: PATH,
          version: '0.3',
          method: 'message/send',
          params: { message, configuration: { blocking: false } },
          isRight: (task) => task.kind === 'task' && (id = task.id) !== '',
        });
  await runLoad({ port: hello.port, connections: 1, next });
  return id;
}

async function openStreams(hello: HelloSystem, taskId: string, count: number) {
  const open: EventStream[] = [];
  const firstEventsMs: number[] = [];
  const headers = { Authorization: hello.authorization(ACCOUNT), 'Content-Type': 'application/json' };
  const body = { jsonrpc: '2.0', id: 1, method: 'tasks/resubscribe', params: { id: taskId } };
  const openSome = async (): Promise<void> => {
    while (open.length < count) {
      const stream = new EventStream({ port: hello.port, path: PATH, headers, body });
      open.push(stream);
      firstEventsMs.push(await stream.firstEventMs);
    }
  };
  await Promise.all(Array.from({ length: BURST }, openSome));
  return { open, firstEventsMs };
}

function total(open: readonly EventStream[]): number {
  return open.reduce((sum, { events }) => sum + events, 0);
}
