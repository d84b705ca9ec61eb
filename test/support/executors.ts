import { hashSecret } from '../../src/common/index.js';
import type { AssistantOptions } from '../../src/index.js';
import { ScriptedAssistant, scriptedModule } from './scripted-assistant.js';
import { TestApi, until, type TestSetup } from './test-api.js';
import { AGENTS } from './test-directory.js';

/** What an assistant gets to know of a job, wherever it runs. */
export interface SeenJob {
  jobId: string;
  agent: string;
  contextId: string;
  caller: { accountId: string };
  interactive: boolean;
  message: { messageId: string; text: string; metadata?: Record<string, unknown> | undefined };
}

/** What both scripted executors can do. */
export type Script = Pick<ScriptedAssistant, 'submitted' | 'report' | 'complete' | 'delta' | 'isAtWork'> & {
  readonly submissions: readonly SeenJob[];
  readonly jobs: ReadonlyMap<string, { params: SeenJob; answers: { text: string }[] }>;
  /** How a job ended as its computer sees it; in the process nobody else can see it otherwise. */
  endOf?(jobId: string): string | undefined;
};

/** What the assistant does with a new job; by default it is at work and waits for the test. */
export type OnScriptedSubmit = (job: { params: SeenJob }, own: Script) => void | Promise<void>;

export interface Scenario {
  environment?: Record<string, string>;
  setup?: TestSetup;
  onSubmit?: OnScriptedSubmit;
}

/** The service, and its assistant under the test's command. */
export interface Stage {
  api: TestApi;
  daemon: Script;
  /** Stops the service and starts it again on the same files, with the same assistant. */
  restart(environment?: Record<string, string>): Promise<Stage>;
}

/** A way to run the assistants of `alice`; what a caller sees must be the same. */
export type Start = (scenario?: Scenario) => Promise<Stage>;

/** Behind the relay in every case, so that one computer can be offline. */
const ON_ANOTHER_COMPUTER = 'tower';

async function startBehindRelay({ environment, setup, onSubmit }: Scenario = {}): Promise<Stage> {
  const stageOf = async (api: TestApi, earlier?: Script): Promise<Stage> => {
    const daemon = await api.daemon(onSubmit ? { onSubmit } : {});
    if (earlier) daemon.adopt(earlier as typeof daemon);
    const restart = async (changes?: Record<string, string>) => stageOf(await api.restart(changes), daemon);
    return { api, daemon, restart };
  };
  return stageOf(await TestApi.start(environment, setup));
}

async function startInProcess({ environment, setup, onSubmit }: Scenario = {}): Promise<Stage> {
  const daemon = new ScriptedAssistant(onSubmit);
  const agents = AGENTS.filter(({ handle }) => handle !== ON_ANOTHER_COMPUTER);
  const stageOf = (api: TestApi): Stage => {
    const restart = async (changes?: Record<string, string>) => stageOf(await api.restart(changes));
    return { api, daemon, restart };
  };
  const api = await TestApi.start(environment, {
    ...setup,
    imports: [...(setup?.imports ?? []), scriptedModule(daemon, agents.map(inCode))],
    withoutAgents: agents.map(({ handle }) => handle),
    onClose: () => daemon.close(),
  });
  return stageOf(api);
}

/** The entry of the directory file as a decorator has it. */
function inCode({ account, linkKey, computer: _, ...entry }: (typeof AGENTS)[number]): AssistantOptions {
  return {
    ...entry,
    account: { id: account, username: 'alice' },
    ...(linkKey !== undefined && { linkKeyHash: hashSecret(linkKey) }),
  };
}

export const EXECUTORS: [name: string, start: Start][] = [
  ['behind the relay', startBehindRelay],
  ['in the process', startInProcess],
];

/** Waits until a task is at work: an assistant of the process begins after the answer to a send. */
export async function atWork(api: TestApi, id: string, options: { account?: string } = {}): Promise<void> {
  await until(`task ${id} is at work`, async () => {
    return (await api.getTask(id, options)).status.state === 'TASK_STATE_WORKING';
  });
}

/** Waits until the assistant has a job, which one of the process gets after the answer to a send. */
export async function begun(daemon: Script, jobId: string): Promise<void> {
  await until(`job ${jobId} has begun`, () => daemon.submissions.some((seen) => seen.jobId === jobId));
}
