import { figures, type Figures } from '../figures.js';
import { runLoad, type Call } from '../load.js';
import { rpcCall, type WireTask } from '../rpc-calls.js';
import { TEXT } from '../seed-plan.js';
import { Daemons } from '../systems/daemons.js';
import { HelloSystem } from '../systems/hello-system.js';
import { SENDERS, sendCall } from './call-rows.js';
import type { BenchRun, Scenario } from './scenario.js';

const TASK_NOT_FOUND = -32001;
const [FIRST = '', SECOND = ''] = SENDERS;

/** 20,000 acknowledged sends at full speed, then kill -9: all are there. 20,000 gets of two accounts: each sees its own. */
export const correctness: Scenario = {
  name: 'correctness',
  run: async (run: BenchRun): Promise<Figures> => {
    const count = run.quick ? 2_000 : 20_000;
    const dir = run.folder('correctness');
    const hello = new HelloSystem({ dir, accounts: SENDERS });
    await hello.start();
    const daemons = new Daemons(hello, dir);
    try {
      await daemons.order({ do: 'connect' });
      const sent = await sendUntilKilled(hello, count);
      await hello.start();
      await checkAll(hello, sent);
      run.print(`kill -9 under load: all of ${sent.length} acknowledged tasks are there`);
      await checkTwoAccounts(hello, sent, count);
      run.print(`${count} gets of two accounts at once: no wrong answer`);
    } finally {
      await daemons.stop();
      await hello.stop();
    }
    return figures();
  },
};

interface SentTask {
  accountId: string;
  id: string;
}

async function sendUntilKilled(hello: HelloSystem, count: number): Promise<SentTask[]> {
  const sent: SentTask[] = [];
  let calls = 0;
  let killed: Promise<void> | undefined;
  const site = { system: hello, listOrder: [], count: () => calls };
  const next = (): Call => {
    // Two accounts send half of all, so that they have something to read side by side.
    calls += 1;
    const account = calls % 4 < 2 ? calls % 4 : calls % SENDERS.length;
    return sendCall({ ...site, count: () => account }, TEXT, { returnImmediately: true }, ({ task }) => {
      sent.push({ accountId: SENDERS[account] ?? '', id: task.id });
      if (sent.length >= count) killed ??= hello.stop('SIGKILL');
      return true;
    });
  };
  await runLoad({ port: hello.port, connections: 64, next }).catch((error: unknown) => {
    // The end of the connections is what was asked for.
    if (!killed) throw error;
  });
  await killed;
  return sent;
}

async function checkAll(hello: HelloSystem, sent: readonly SentTask[]): Promise<void> {
  const left = [...sent];
  const next = (): Call | undefined => {
    const task = left.pop();
    return task && getCallOf(hello, task);
  };
  await runLoad({ port: hello.port, connections: 64, next });
}

/** Both accounts read their own tasks and the other one's, which are as good as absent, all at once. */
async function checkTwoAccounts(hello: HelloSystem, sent: readonly SentTask[], count: number): Promise<void> {
  const tasks = sent.filter(({ accountId }) => accountId === FIRST || accountId === SECOND);
  let calls = 0;
  const next = (): Call | undefined => {
    const task = tasks[calls % tasks.length];
    if (!task || calls++ >= count) return undefined;
    if (calls % 4 > 0) return getCallOf(hello, task);
    const accountId = task.accountId === FIRST ? SECOND : FIRST;
    return getCallOf(hello, { accountId, id: task.id }, TASK_NOT_FOUND);
  };
  await runLoad({ port: hello.port, connections: 64, next });
}

function getCallOf(hello: HelloSystem, { accountId, id }: SentTask, error?: number): Call {
  return rpcCall<WireTask>(hello, {
    accountId,
    method: 'GetTask',
    params: { id },
    isRight: (task) => task.id === id,
    ...(error !== undefined && { error }),
  });
}
